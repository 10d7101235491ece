-- Finds the corrections of a transaction. Existing ones have the same metadata, so that nothing has to be filled.
CREATE INDEX extra_by_corrected ON ledger_extra (guild_no, metadata) WHERE substr(metadata, 1, 13) = '{"corrects":"';
