import { createLedgerFile } from './ledger-file.ts';

// Makes the file named first in the size given second, and prints the values of the keys that open it.

const [file = '', size = ''] = process.argv.slice(2);
console.log(JSON.stringify(createLedgerFile(file, JSON.parse(size))));
