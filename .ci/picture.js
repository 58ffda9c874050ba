// Two parts of .ci/pictures:
//
//   node picture.js api    serves chat completions whose answer is always "ok", and prints its address
//   node picture.js svg    draws what "tmux capture-pane -p -e" prints, cell by cell
'use strict';

const [width, height] = [8.4, 17];
const named = ['#1c1c1c', '#d75f5f', '#87af5f', '#d7af5f', '#5f87d7', '#af87d7', '#5fafaf', '#d0d0d0',
  '#808080', '#ff8787', '#afd787', '#ffd787', '#87afff', '#d7afff', '#87d7d7', '#ffffff'];
const hex = (...rgb) => '#' + rgb.map((n) => Number(n).toString(16).padStart(2, '0')).join('');

function indexed(n) {
  if (n < 16) return named[n];
  if (n >= 232) return hex(8 + 10 * (n - 232), 8 + 10 * (n - 232), 8 + 10 * (n - 232));
  const level = (i) => [0, 95, 135, 175, 215, 255][i % 6];
  return hex(level(Math.floor((n - 16) / 36)), level(Math.floor((n - 16) / 6)), level(n - 16));
}

// apply changes a style as the parameters of an SGR sequence say.
function apply(style, parameters) {
  const p = parameters.split(';').map(Number);
  for (let i = 0; i < p.length; i++) {
    const k = p[i];
    if (k === 0) Object.assign(style, { fg: '#eeeeee', bg: '', bold: false });
    else if (k === 1) style.bold = true;
    else if (k === 22) style.bold = false;
    else if (k === 38 || k === 48) {
      style[k === 38 ? 'fg' : 'bg'] = p[i + 1] === 2 ? hex(p[i + 2], p[i + 3], p[i + 4]) : indexed(p[i + 2]);
      i += p[i + 1] === 2 ? 4 : 2;
    } else if (k === 39) style.fg = '#eeeeee';
    else if (k === 49) style.bg = '';
    else if (k >= 30 && k <= 37) style.fg = named[k - 30];
    else if (k >= 40 && k <= 47) style.bg = named[k - 40];
    else if (k >= 90 && k <= 97) style.fg = named[k - 82];
  }
}

function svg(screen) {
  const style = { fg: '#eeeeee', bg: '', bold: false };
  const parts = [];
  let columns = 0;
  const lines = screen.trimEnd().split('\n');
  lines.forEach((line, row) => {
    let x = 0;
    for (const [, sgr, , text] of line.matchAll(/\x1b\[([\d;]*)m|\x1b\](.*?)(?:\x07|\x1b\\)|([^\x1b]+)/g)) {
      if (sgr !== undefined) apply(style, sgr);
      if (text === undefined) continue;
      const at = (n) => (8 + n * width).toFixed(1);
      if (style.bg) {
        parts.push(`<rect x="${at(x)}" y="${8 + row * height}" width="${(text.length * width).toFixed(1)}" ` +
          `height="${height}" fill="${style.bg}"/>`);
      }
      const blanks = text.length - text.trimStart().length;
      const shown = text.trim().replace(/&/g, '&amp;').replace(/</g, '&lt;');
      if (shown) {
        parts.push(`<text x="${at(x + blanks)}" y="${21 + row * height}" textLength="${(text.trim().length * width).toFixed(1)}" ` +
          `fill="${style.fg}"${/ {2}/.test(shown) ? ' xml:space="preserve"' : ''}${style.bold ? ' font-weight="bold"' : ''}>${shown}</text>`);
      }
      x += text.length;
    }
    columns = Math.max(columns, x);
  });
  const [w, h] = [Math.ceil(columns * width) + 16, lines.length * height + 16];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${w} ${h}" font-size="14" ` +
    `font-family="ui-monospace,Menlo,Consolas,monospace">\n<rect width="${w}" height="${h}" rx="6" fill="#0a0a0a"/>\n` +
    parts.join('\n') + '\n</svg>\n';
}

function api() {
  const head = '{"id":"c","object":"chat.completion.chunk","created":1,"model":"model","choices":[{"index":0,';
  const events = [head + '"delta":{"role":"assistant","content":"ok"}}]}', head + '"delta":{},"finish_reason":"stop"}]}', '[DONE]'];
  const server = require('http').createServer((request, response) => {
    request.resume().on('end', () => {
      response.setHeader('Content-Type', 'text/event-stream');
      response.end(events.map((e) => `data: ${e}\n\n`).join(''));
    });
  });
  server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}/v1`));
}

if (process.argv[2] === 'api') api();
else process.stdout.write(svg(require('fs').readFileSync(0, 'utf8')));
