/**
 * Statements that PostgreSQL parses and plans once per connection rather than each time, which often costs more than to execute them.
 */
import { createHash } from 'node:crypto';

/** A connection holds what it prepared until it ends. Some texts have as many forms as lists have lengths. */
const MAX_NAMES = 500;

/** `select *` and `returning *`. Prepared, they only fail once a migration has added a column, which may happen under a running process. */
const EVERY_COLUMN = /(^|[\s.])\*/;

/** The name under which a text is prepared, from the second time that it is asked for. Undefined if it must not be prepared. */
export function statementNames(maxNames = MAX_NAMES): (text: string) => string | undefined {
  const names = new Map<string, string>();
  const once = new Set<string>();
  return (text) => {
    const earlier = names.get(text);
    if (earlier !== undefined || names.size >= maxNames || EVERY_COLUMN.test(text)) return earlier;
    if (!once.delete(text)) {
      if (once.size >= maxNames) once.clear();
      once.add(text);
      return undefined;
    }
    const name = createHash('sha256').update(text).digest('base64url');
    names.set(text, name);
    return name;
  };
}
