"""Checks checkpoints and receipts with pymerkle and cryptography. Usage: check.py vectors.json"""

import base64
import hashlib
import json
import sys

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from pymerkle import InmemoryTree
from pymerkle.core import _inclusion_path_layout
from pymerkle.proof import InclusionProof, InvalidProof


def open_checkpoint(text, key):
    name, key_id, encoded = key.split("+", 2)
    signed, signatures = text.rsplit("\n\n", 1)
    public = base64.b64decode(encoded)
    expected = hashlib.sha256(name.encode() + b"\n" + public).digest()[:4]
    assert expected.hex() == key_id, "the id of the key"
    for line in signatures.splitlines():
        dash, signer, signature = line.split(" ")
        raw = base64.b64decode(signature)
        if dash == "—" and signer == name and raw[:4] == expected:
            Ed25519PublicKey.from_public_bytes(public[1:]).verify(raw[4:], (signed + "\n").encode())
            origin, size, root = signed.split("\n")
            assert origin == name, "the origin"
            return int(size), base64.b64decode(root)
    raise AssertionError("not signed by this key")


def check_receipt(text, key):
    proof, checkpoint = text.split("\n\n", 1)
    head, extra, index, *hashes = proof.split("\n")
    assert head == "c2sp.org/tlog-proof@v1"
    leaf = base64.b64decode(extra.removeprefix("extra "))
    number = int(index.removeprefix("index "))
    size, root = open_checkpoint(checkpoint, key)
    base = hashlib.sha256(b"\x00" + leaf).digest()
    path = [base] + [base64.b64decode(one) for one in hashes]
    rule, _ = _inclusion_path_layout(number + 1, size)
    InclusionProof("sha256", True, size, number + 1, rule, path).verify(base, root)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        given = json.load(file)
    key = given["verifierKey"]
    tree = InmemoryTree(algorithm="sha256")
    for leaf in given["firstLeaves"]:
        tree.append_entry(leaf.encode())
    roots = 0
    for checkpoint in given["checkpoints"]:
        size, root = open_checkpoint(checkpoint, key)
        if size <= len(given["firstLeaves"]):
            assert tree.get_root(size) == root, f"the root of {size} leaves"
            roots += 1
    for receipt in given["receipts"]:
        check_receipt(receipt, key)
    for receipt in given["wrong"]:
        try:
            check_receipt(receipt, key)
        except InvalidProof:
            continue
        raise AssertionError("an altered receipt was accepted")
    print(f"{len(given['checkpoints'])} checkpoints and {len(given['receipts'])} receipts hold, {roots} roots are the same")


main()
