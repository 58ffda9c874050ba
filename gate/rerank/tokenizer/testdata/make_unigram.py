# Writes unigram.json.gz and unigram.golden: a small Unigram tokenizer in the shape
# of XLM-R's tokenizer.json, with SentencePiece's nmt_nfkc normaliser, and the pieces
# that SentencePiece itself makes of every line of corpus.jsonl. Every third line is
# left out of the training, so that there are characters and words it has not seen.
# Needs Debian's python3-sentencepiece:  /usr/bin/python3 make_unigram.py
import base64, gzip, io, json, os
import sentencepiece as spm

here = os.path.dirname(os.path.abspath(__file__))
lines = [json.loads(l) for l in open(os.path.join(here, "corpus.jsonl"))]
model = io.BytesIO()
spm.SentencePieceTrainer.train(
    sentence_iterator=iter([l.replace("\0", "") for i, l in enumerate(lines) if i % 3 != 2] * 3),
    model_writer=model, vocab_size=3000,
    character_coverage=0.98, model_type="unigram", normalization_rule_name="nmt_nfkc",
    hard_vocab_limit=False, num_threads=1, minloglevel=2)
sp = spm.SentencePieceProcessor(model_proto=model.getvalue())


def fields(b):
    """Yields (number, value) of a protobuf message."""
    i = 0
    def varint():
        nonlocal i
        shift = value = 0
        while True:
            c = b[i]; i += 1
            value |= (c & 127) << shift
            shift += 7
            if c < 128:
                return value
    while i < len(b):
        tag = varint()
        if tag & 7 == 0:
            yield tag >> 3, varint()
        elif tag & 7 == 2:
            n = varint()
            yield tag >> 3, b[i:i + n]
            i += n
        elif tag & 7 == 5:
            yield tag >> 3, b[i:i + 4]
            i += 4
        else:
            yield tag >> 3, b[i:i + 8]
            i += 8


NORMALIZER_SPEC, PRECOMPILED = 3, 2
charsmap = next(v for n, spec in fields(model.getvalue()) if n == NORMALIZER_SPEC
                for m, v in fields(spec) if m == PRECOMPILED)

# XLM-R's order: <s> <pad> </s> <unk>, then the pieces.
special = ["<s>", "<pad>", "</s>", "<unk>"]
vocab = [[s, 0.0] for s in special]
to_id = {}
for i in range(sp.get_piece_size()):
    if sp.is_control(i) or sp.is_unknown(i):
        continue
    to_id[i] = len(vocab)
    vocab.append([sp.id_to_piece(i), sp.get_score(i)])
vocab.append(["<mask>", 0.0])
added = lambda i, s: {"id": i, "content": s, "single_word": False, "lstrip": s == "<mask>", "rstrip": False,
                      "normalized": False, "special": True}
tokenizer = {
    "version": "1.0", "truncation": None, "padding": None,
    "added_tokens": [added(i, s) for i, s in enumerate(special)] + [added(len(vocab) - 1, "<mask>")],
    "normalizer": {"type": "Sequence", "normalizers": [
        {"type": "Precompiled", "precompiled_charsmap": base64.b64encode(charsmap).decode()},
        {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": " "}]},
    "pre_tokenizer": {"type": "Sequence", "pretokenizers": [
        {"type": "WhitespaceSplit"},
        {"type": "Metaspace", "replacement": "\u2581", "add_prefix_space": True}]},
    "post_processor": {"type": "TemplateProcessing",
        "single": [{"SpecialToken": {"id": "<s>", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}},
                   {"SpecialToken": {"id": "</s>", "type_id": 0}}],
        "pair": [{"SpecialToken": {"id": "<s>", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}},
                 {"SpecialToken": {"id": "</s>", "type_id": 0}}, {"SpecialToken": {"id": "</s>", "type_id": 0}},
                 {"Sequence": {"id": "B", "type_id": 0}}, {"SpecialToken": {"id": "</s>", "type_id": 0}}],
        "special_tokens": {"<s>": {"id": "<s>", "ids": [0], "tokens": ["<s>"]},
                           "</s>": {"id": "</s>", "ids": [2], "tokens": ["</s>"]}}},
    "decoder": {"type": "Metaspace", "replacement": "\u2581", "add_prefix_space": True},
    "model": {"type": "Unigram", "unk_id": 3, "vocab": vocab},
}
with open(os.path.join(here, "unigram.json.gz"), "wb") as f:
    with gzip.GzipFile(fileobj=f, mode="wb", mtime=0, filename="") as z:
        z.write(json.dumps(tokenizer, ensure_ascii=False).encode())
with open(os.path.join(here, "unigram.golden"), "w") as f:
    for l in lines:
        ids = [to_id.get(i, 3) for i in sp.encode(l)]
        # SentencePiece keeps unknown neighbours apart only where their text differs; ids are fused as XLM-R does.
        fused = [v for k, v in enumerate(ids) if v != 3 or k == 0 or ids[k - 1] != 3]
        f.write(json.dumps(fused) + "\n")
print(len(vocab), "pieces, charsmap", len(charsmap), "bytes")
