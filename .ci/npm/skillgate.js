#!/usr/bin/env node
// Runs the skillgate of this system's package, which is an optional dependency of this one:
// no install script, no download. The hook is registered by that program's own path, not by
// this script's, so that prompts do not wait for node.
//
// Exit status: that of the program; 1 where it cannot be run, and 0 for hook and observe,
// so that the prompt goes through. Never 2, which Claude Code reads as "erase the prompt".
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
    'https://github.com/skillgate/skillgate says how to build it');
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
  fail(`${name} is version ${found}, and this is ${version}: the installation is half done`, again);
}
const file = process.platform === 'win32' ? 'skillgate.exe' : 'skillgate';
const program = path.join(folder, 'bin', file);
for (const needed of [program, path.join(folder, 'lib', 'skillgate', file)]) {
  if (!fs.existsSync(needed) || fs.statSync(needed).size === 0) { // a shell would take an empty file for a program
    fail(`${needed} is missing or empty: the installation is half done`, again);
  }
}

const ended = spawnSync(program, args, { stdio: 'inherit' });
if (ended.error) {
  fail(`${program} cannot be run: ${ended.error.message}`, again);
}
if (['SIGBUS', 'SIGILL', 'SIGSEGV'].includes(ended.signal)) { // a program that was cut, as a full disk does
  fail(`${program} was ended by ${ended.signal}: the installation is damaged`, again);
}
if (ended.signal) {
  process.exit(128 + os.constants.signals[ended.signal]);
}
process.exit(ended.status);
