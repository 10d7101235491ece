-- Records and verifications are kept in memory, too, so their changes move counters as those of keys and commands do.
-- Triggers do it, because a process of the version before may write to the same file.
INSERT INTO revision (part, value) VALUES ('records', 1), ('verifications', 1);
CREATE TRIGGER discharge_inserted AFTER INSERT ON discharge
BEGIN UPDATE revision SET value = value + 1 WHERE part = 'records'; END;
CREATE TRIGGER discharge_updated AFTER UPDATE ON discharge
BEGIN UPDATE revision SET value = value + 1 WHERE part = 'records'; END;
CREATE TRIGGER discharge_deleted AFTER DELETE ON discharge
BEGIN UPDATE revision SET value = value + 1 WHERE part = 'records'; END;
CREATE TRIGGER transfer_inserted AFTER INSERT ON transfer
BEGIN UPDATE revision SET value = value + 1 WHERE part = 'records'; END;
CREATE TRIGGER transfer_updated AFTER UPDATE ON transfer
BEGIN UPDATE revision SET value = value + 1 WHERE part = 'records'; END;
CREATE TRIGGER transfer_deleted AFTER DELETE ON transfer
BEGIN UPDATE revision SET value = value + 1 WHERE part = 'records'; END;
CREATE TRIGGER verification_inserted AFTER INSERT ON verification
BEGIN UPDATE revision SET value = value + 1 WHERE part = 'verifications'; END;
CREATE TRIGGER verification_updated AFTER UPDATE ON verification
BEGIN UPDATE revision SET value = value + 1 WHERE part = 'verifications'; END;
CREATE TRIGGER verification_deleted AFTER DELETE ON verification
BEGIN UPDATE revision SET value = value + 1 WHERE part = 'verifications'; END;
CREATE TRIGGER past_user_inserted AFTER INSERT ON past_user
BEGIN UPDATE revision SET value = value + 1 WHERE part = 'verifications'; END;
CREATE TRIGGER past_user_updated AFTER UPDATE ON past_user
BEGIN UPDATE revision SET value = value + 1 WHERE part = 'verifications'; END;
CREATE TRIGGER past_user_deleted AFTER DELETE ON past_user
BEGIN UPDATE revision SET value = value + 1 WHERE part = 'verifications'; END;
