import path from 'node:path';
import { writeEmptyStore } from '../support/empty-store.ts';
import { createFolder } from '../support/folder.ts';
import { describeSecretKeys } from './secret-key-suite.ts';

describeSecretKeys(async () => {
  const file = path.join(createFolder(), 'guildbook.db');
  writeEmptyStore(file);
  // The folder is removed with the tests of the file.
  return { url: `sqlite:${file}`, remove: async () => {} };
});
