// A package registry for tests. It serves the *.tgz files of a folder on a loopback port and prints the port. The
// last file of a package, by name, is its latest version.
//
//   node registry.js FOLDER
'use strict';

const { execFileSync } = require('child_process');
const crypto = require('crypto');
const fs = require('fs');
const http = require('http');
const path = require('path');

const folder = process.argv[2];

// packument returns the registry document of a package, with all versions in the folder.
function packument(name, base) {
  const doc = { name, 'dist-tags': {}, versions: {} };
  for (const file of fs.readdirSync(folder).filter((f) => f.endsWith('.tgz')).sort()) {
    const tarball = path.join(folder, file);
    const about = JSON.parse(execFileSync('tar', ['-xzOf', tarball, 'package/package.json']));
    if (about.name !== name) continue;
    const integrity = `sha512-${crypto.createHash('sha512').update(fs.readFileSync(tarball)).digest('base64')}`;
    doc.versions[about.version] = { ...about, dist: { tarball: `${base}/-/${file}`, integrity } };
    doc['dist-tags'].latest = about.version;
  }
  return doc['dist-tags'].latest && doc;
}

const server = http.createServer((req, res) => {
  const name = decodeURIComponent(req.url.slice(1).split('?')[0]);
  if (name.startsWith('-/')) {
    return fs.createReadStream(path.join(folder, path.basename(name))).on('error', () => res.writeHead(404).end()).pipe(res);
  }
  const doc = packument(name.replace(/\/latest$/, ''), `http://127.0.0.1:${server.address().port}`);
  const answer = doc && name.endsWith('/latest') ? doc.versions[doc['dist-tags'].latest] : doc;
  res.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(answer || {}));
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
