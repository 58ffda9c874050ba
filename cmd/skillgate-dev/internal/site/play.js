// Plays the recording scene by scene. Without it, and where motion is not wanted until somebody
// asks for it, all scenes are shown below one another.
"use strict";
(() => {
  const screen = document.getElementById("screen"), button = document.getElementById("play");
  const about = document.getElementById("about"), title = about.textContent;
  const scenes = [...screen.querySelectorAll(".scene")];
  const commands = scenes.map(s => [...s.querySelector(".command").textContent]);
  let at = 0, typed = 0, timer = 0;

  const show = () => {
    const scene = scenes[at];
    scenes.forEach(s => s.classList.toggle("now", s === scene));
    scene.querySelector(".command").textContent = commands[at].slice(0, typed).join("");
    scene.classList.toggle("typing", typed < commands[at].length);
    about.textContent = scene.dataset.about;
  };
  const wait = ms => { timer = setTimeout(step, ms); };
  const step = () => {
    if (typed < commands[at].length) {
      typed++;
      show();
      return wait(typed < commands[at].length ? 45 : 4500);
    }
    if (at + 1 < scenes.length) {
      at++;
      typed = 0;
      show();
      return wait(600);
    }
    stop(true);
  };
  const start = () => {
    if (!screen.classList.contains("playing")) {
      // the screen is as high as its highest scene, so that the page does not move
      const height = Math.max(...scenes.map(s => s.querySelector("pre").getBoundingClientRect().height));
      screen.style.minHeight = Math.ceil(height + 16) + "px";
      screen.classList.add("playing");
      at = typed = 0;
    }
    screen.scrollTop = 0;
    button.textContent = "Pause";
    show();
    wait(300);
  };
  const stop = ended => {
    clearTimeout(timer);
    timer = 0;
    button.textContent = ended ? "Play again" : "Play";
    if (ended) { // everything can be read again
      screen.classList.remove("playing");
      screen.style.minHeight = "";
      scenes.forEach((s, i) => {
        s.classList.remove("now", "typing");
        s.querySelector(".command").textContent = commands[i].join("");
      });
      about.textContent = title;
    }
  };
  button.addEventListener("click", () => timer ? stop(false) : start());
  button.hidden = false;
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) {
    button.textContent = "Play";
  } else {
    start();
  }
})();
