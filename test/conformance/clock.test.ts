/** All waits in channel and frame use one clock, and nothing outside the frame's own code can replace it. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { before, describe, it } from 'node:test';
import { buildIfStale, filesBelow } from '../../scripts/build.ts';
import { ROOT } from '../../scripts/command.ts';

const TIME =
  /\b(Date\.now|performance\.now|setTimeout|setInterval|clearTimeout|clearInterval|AbortSignal\.timeout|new Date\(\))/;

const read = (folder: string, ending: string): [name: string, text: string][] =>
  filesBelow(join(ROOT, folder))
    .filter((file) => file.endsWith(ending))
    .map((file) => [relative(ROOT, file), readFileSync(file, 'utf8')]);

describe('time', () => {
  it('reaches channel, frame and their views through their clock alone', () => {
    const others = ['src/channel', 'src/frame', 'src/ui']
      .flatMap((folder) => read(folder, '.ts'))
      .flatMap(([name, text]) => {
        const code = text.replace(/\/\*[^]*?\*\/|\/\/.*/g, '');
        return code.split('\n').flatMap((line) => (TIME.test(line) ? [`${name}: ${line.trim()}`] : []));
      });
    assert.deepEqual(others, []);
  });

  for (const folder of ['dist/frame', 'dist/wallet', 'dist/read'])
    describe(`in ${folder}`, () => {
      let built: [name: string, text: string][];
      const found = (pattern: RegExp): string[] =>
        built.flatMap(([name, text]) => [...text.matchAll(pattern)].map(([match]) => `${name}: ${match}`));
      before(async () => {
        await buildIfStale();
        built = read(folder, '.js');
      });

      it('is read by one clock', () => {
        const clocks = found(/every\([\w$]+,[\w$]+\)\{[^}]*setInterval/g);
        assert.equal(clocks.length, 1, clocks.join('\n'));
      });

      it('has no parameter, message, attribute or global of that name', () => {
        // Outside input is read by a string key, or by a property of a global.
        assert.deepEqual(found(/["'`]clock["'`]/g), []);
        assert.deepEqual(
          found(/\b(window|globalThis|self|top|parent|opener|document|location|history|navigator)\.clock\b/g),
          [],
        );
      });

      it('is passed on unchanged, never constructed', () => {
        const given = built.flatMap(([name, text]) =>
          [...text.matchAll(/(?:\bclock:|\.clock=)(?:\$\{)?([^,;)}\]]*)/g)].map(([, value]) => ({
            name,
            value: value!,
          })),
        );
        assert.ok(given.length > 0);
        assert.deepEqual(
          given.filter(({ value }) => !/^(?:this\.#)?[\w$]+(\.clock)?$/.test(value)),
          [],
        );
      });
    });
});
