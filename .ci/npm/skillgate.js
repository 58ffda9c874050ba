#!/usr/bin/env node
// Runs the skillgate program of this system's package, which is an optional dependency of this package. There is no
// install script and no download. The hook is registered with the path of the program instead of this script, so that
// prompts do not wait for node.
//
// The exit status is that of the program. If the program cannot be run, it is 1, or 0 for hook and observe, so that the
// prompt goes through. It is never 2, which Claude Code reads as "erase the prompt".
'use strict';

const { spawnSync } = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');

const args = process.argv.slice(2);

function fail(text, hint) {
  process.stderr.write(`skillgate: ${text}\nskillgate: hint: ${hint}\n`);
  process.exit(args[0] === 'hook' || args[0] === 'observe' ? 0 : 1);
}

const system = `${process.platform}-${process.arch}`;
const name = `@skillgate/${system}`;
const packages = Object.keys(require('./package.json').optionalDependencies);
if (!packages.includes(name)) {
  fail(`there is no package for ${system}, only for ${packages.map((p) => p.replace('@skillgate/', '')).join(', ')}`,
    'see https://github.com/skillgate/skillgate to build it from source');
}

const again = 'run "npm install -g skillgate --include=optional", or for npx "npx --yes --include=optional skillgate"';
let folder;
try {
  folder = path.dirname(require.resolve(`${name}/package.json`));
} catch {
  fail(`the package ${name} is missing: npm left out optional dependencies, or was stopped`, again);
}
const version = require('./package.json').version;
const found = require(`${name}/package.json`).version;
if (found !== version) {
  fail(`${name} is version ${found}, and this is ${version}: the installation is incomplete`, again);
}
const file = process.platform === 'win32' ? 'skillgate.exe' : 'skillgate';
const program = path.join(folder, 'bin', file);
for (const needed of [program, path.join(folder, 'lib', 'skillgate', file)]) {
  if (!fs.existsSync(needed) || fs.statSync(needed).size === 0) { // a shell runs an empty file without an error
    fail(`${needed} is missing or empty: the installation is incomplete`, again);
  }
}

const ended = spawnSync(program, args, { stdio: 'inherit' });
if (ended.error) {
  fail(`${program} cannot be run: ${ended.error.message}`, again);
}
if (['SIGBUS', 'SIGILL', 'SIGSEGV'].includes(ended.signal)) { // a truncated program, for example after a full disk
  fail(`${program} was ended by ${ended.signal}: the installation is damaged`, again);
}
if (ended.signal) {
  process.exit(128 + os.constants.signals[ended.signal]);
}
process.exit(ended.status);
