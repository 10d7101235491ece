// Checks checkpoints, receipts and consistency proofs with the verifier of the Go checksum database. It shares no code with the
// service. Usage: check-seal vectors.json
package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

type vectors struct {
	VerifierKey string
	Checkpoints []string
	Receipts    []string
	Consistency []struct {
		From, To string
		Proof    []string
	}
	Wrong []string
}

type treeHead struct {
	size int64
	root tlog.Hash
}

func main() {
	content, err := os.ReadFile(os.Args[1])
	stopOn(err)
	var given vectors
	stopOn(json.Unmarshal(content, &given))
	verifier, err := note.NewVerifier(given.VerifierKey)
	stopOn(err)
	for _, text := range given.Checkpoints {
		_, err := openCheckpoint(text, verifier)
		stopOn(err)
	}
	for index, text := range given.Receipts {
		if err := checkReceipt(text, verifier); err != nil {
			stopOn(fmt.Errorf("receipt %d: %w", index, err))
		}
	}
	for index, one := range given.Consistency {
		if err := checkConsistency(one.From, one.To, one.Proof, verifier); err != nil {
			stopOn(fmt.Errorf("consistency proof %d: %w", index, err))
		}
	}
	for index, text := range given.Wrong {
		if checkReceipt(text, verifier) == nil {
			stopOn(fmt.Errorf("the altered receipt %d was accepted", index))
		}
	}
	fmt.Printf("%d checkpoints, %d receipts and %d consistency proofs hold; %d altered receipts do not\n",
		len(given.Checkpoints), len(given.Receipts), len(given.Consistency), len(given.Wrong))
}

func stopOn(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func openCheckpoint(text string, verifier note.Verifier) (treeHead, error) {
	opened, err := note.Open([]byte(text), note.VerifierList(verifier))
	if err != nil {
		return treeHead{}, err
	}
	lines := strings.Split(opened.Text, "\n")
	if len(lines) != 4 || lines[0] != verifier.Name() || lines[3] != "" {
		return treeHead{}, fmt.Errorf("not a checkpoint: %q", opened.Text)
	}
	size, err := strconv.ParseInt(lines[1], 10, 64)
	if err != nil {
		return treeHead{}, err
	}
	root, err := tlog.ParseHash(lines[2])
	return treeHead{size, root}, err
}

func parseHashes(lines []string) ([]tlog.Hash, error) {
	var hashes []tlog.Hash
	for _, line := range lines {
		hash, err := tlog.ParseHash(line)
		if err != nil {
			return nil, err
		}
		hashes = append(hashes, hash)
	}
	return hashes, nil
}

// checkReceipt reads the text of c2sp.org/tlog-proof, whose extra data is the leaf.
func checkReceipt(text string, verifier note.Verifier) error {
	proof, checkpoint, found := strings.Cut(text, "\n\n")
	lines := strings.Split(proof, "\n")
	if !found || len(lines) < 3 || lines[0] != "c2sp.org/tlog-proof@v1" {
		return fmt.Errorf("not a proof: %q", text)
	}
	leaf, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(lines[1], "extra "))
	if err != nil {
		return err
	}
	if !isSorted(leaf) {
		return fmt.Errorf("the leaf is not canonical: %s", leaf)
	}
	index, err := strconv.ParseInt(strings.TrimPrefix(lines[2], "index "), 10, 64)
	if err != nil {
		return err
	}
	hashes, err := parseHashes(lines[3:])
	if err != nil {
		return err
	}
	head, err := openCheckpoint(checkpoint, verifier)
	if err != nil {
		return err
	}
	return tlog.CheckRecord(hashes, head.size, head.root, index, tlog.RecordHash(leaf))
}

// isSorted compares the leaf with Go's own JSON, which sorts the names of maps.
func isSorted(leaf []byte) bool {
	var fields map[string]any
	decoder := json.NewDecoder(bytes.NewReader(leaf))
	decoder.UseNumber()
	if decoder.Decode(&fields) != nil {
		return false
	}
	var written bytes.Buffer
	encoder := json.NewEncoder(&written)
	encoder.SetEscapeHTML(false)
	if encoder.Encode(fields) != nil {
		return false
	}
	return bytes.Equal(bytes.TrimSpace(written.Bytes()), leaf)
}

func checkConsistency(from, to string, proof []string, verifier note.Verifier) error {
	older, err := openCheckpoint(from, verifier)
	if err != nil {
		return err
	}
	newer, err := openCheckpoint(to, verifier)
	if err != nil {
		return err
	}
	hashes, err := parseHashes(proof)
	if err != nil {
		return err
	}
	return tlog.CheckTree(hashes, newer.size, newer.root, older.size, older.root)
}
