// Encodes each line of corpus.jsonl as the second text of a pair with Hugging Face's
// tokenizers and prints {"ids","types"} for it, one line each:
//
//	node encode.mjs javascript|rust NODE_MODULES TOKENIZER_JSON CORPUS
//
// javascript is npm's @huggingface/tokenizers, rust is @anush008/tokenizers, a
// build of the Rust crate for Node.
import fs from "node:fs";
import path from "node:path";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [reference, modules, file, corpus] = process.argv.slice(2);
const lines = fs.readFileSync(corpus, "utf8").trim().split("\n").map((l) => JSON.parse(l));
let encode;
if (reference === "rust") {
  const { Tokenizer } = createRequire(path.join(modules, "x"))("@anush008/tokenizers");
  const t = Tokenizer.fromFile(file);
  encode = async (text) => {
    const e = await t.encode("ok", text, { addSpecialTokens: true });
    return { ids: e.getIds(), types: e.getTypeIds() };
  };
} else {
  const lib = path.join(modules, "@huggingface/tokenizers/dist/tokenizers.mjs");
  const { Tokenizer } = await import(pathToFileURL(lib));
  const t = new Tokenizer(JSON.parse(fs.readFileSync(file, "utf8")), {});
  encode = async (text) => {
    const e = t.encode("ok", { text_pair: text, return_token_type_ids: true });
    return { ids: e.ids, types: e.token_type_ids };
  };
}
for (const line of lines) {
  console.log(JSON.stringify(await encode(line)));
}
