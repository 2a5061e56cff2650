/** Apart from what starts it, which loads Bitcoin's libraries. */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Path of litecoind; undefined if it is not installed. `LITECOIND` overrides the PATH. */
export function litecoindPath(): string | undefined {
  const named = process.env['LITECOIND'];
  const places = (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, 'litecoind'));
  return (named ? [named] : places).find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
