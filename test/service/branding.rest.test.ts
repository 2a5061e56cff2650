/** Icons and colors of payment pages: what is accepted, what is stored, and who may use it. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import type { Branding, IconFile } from '../../src/api/branding.ts';
import { crc32 } from './crc32.ts';
import { startTested, type Tested } from './harness.ts';
import { type Merchant, merchantOf } from './webhooks-setup.ts';

let service: Tested;
let merchant: Merchant;

before(async () => {
  service = await startTested();
  merchant = await merchantOf(service);
});
after(() => service.close());

const PATH = '/account/settings/branding/icon';

/** An image that compresses badly. */
function picture(width: number, height = width, channels: 3 | 4 = 3) {
  return sharp(randomBytes(width * height * channels), { raw: { width, height, channels } });
}

const plain = (width: number, height = width) =>
  sharp({ create: { width, height, channels: 3, background: '#1f4d3a' } });

interface Given {
  type?: string;
  filename?: string;
  part?: string;
  who?: Merchant;
}

async function upload(
  file: Buffer,
  { type = 'image/png', filename = 'logo.png', part = 'icon', who = merchant }: Given = {},
) {
  const form = new FormData();
  form.set(part, new Blob([new Uint8Array(file)], { type }), filename);
  return fetch(service.url + PATH, { method: 'POST', headers: who.headers, body: form });
}

async function problemOf(answer: Response) {
  const {
    code,
    detail,
    issues = [],
  } = (await answer.json()) as {
    code: string;
    detail: string;
    issues?: { path: string; message: string }[];
  };
  return { status: answer.status, code, detail, paths: issues.map(({ path }) => path) };
}

async function stored(): Promise<number> {
  return (await service.service.db.selectFrom('icons').select('id').execute()).length;
}

function chunk(type: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** One bit per pixel, all black: a huge image in a few kilobytes. */
function bomb(side: number, rows = side): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(side, 0);
  head.writeUInt32BE(side, 4);
  head[8] = 1;
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.alloc((Math.ceil(side / 8) + 1) * rows), { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

test('an uploaded icon is returned with every field, and served to everybody as a new PNG', async () => {
  const answer = await upload(await picture(200).png().toBuffer());
  assert.equal(answer.status, 201);
  const icon = (await answer.json()) as IconFile;
  assert.match(icon.id, /^file_[\w-]{24}$/);
  const url = `/icons/${icon.id}`;
  assert.deepEqual(icon, {
    id: icon.id,
    object: 'file',
    created: icon.created,
    expires_at: null,
    filename: 'logo.png',
    links: { object: 'list', data: [], has_more: false, url },
    purpose: 'business_icon',
    size: icon.size,
    title: null,
    type: 'png',
    url: service.url + url,
  });
  assert.ok(Number.isInteger(icon.created), String(icon.created));
  assert.ok(Math.abs(icon.created - Date.now() / 1000) < 60);
  const served = await fetch(icon.url);
  const png = Buffer.from(await served.arrayBuffer());
  assert.equal(png.length, icon.size);
  const headers = Object.fromEntries(served.headers);
  assert.equal(headers['content-type'], 'image/png');
  assert.equal(headers['x-content-type-options'], 'nosniff');
  assert.match(headers['content-security-policy']!, /^default-src 'none'; sandbox/);
  assert.equal(headers['cross-origin-resource-policy'], 'cross-origin');
  assert.match(headers['cache-control']!, /immutable/);
  assert.equal(headers['pragma'], undefined);
  const again = await fetch(icon.url, { headers: { 'If-None-Match': headers['etag']! } });
  assert.equal(again.status, 304);
  for (const id of [
    'file_unknown',
    `${icon.id.slice(0, -1)}${icon.id.endsWith('_') ? 'x' : '_'}`,
    '..%2f..%2fopenapi.json',
  ])
    assert.equal((await service.get(`/icons/${id}`)).status, 404, id);
});

test('PNG, JPEG and WebP of every kind become a square PNG of at most 512 pixels', async () => {
  const good: [string, Buffer, string, number][] = [
    ['the smallest', await plain(128).png().toBuffer(), 'image/png', 128],
    ['a JPEG', await plain(300).jpeg().toBuffer(), 'image/jpeg', 300],
    ['a WebP', await plain(300).webp().toBuffer(), 'image/webp', 300],
    ['a large one', await plain(4096).png().toBuffer(), 'image/png', 512],
    ['transparent', await picture(130, 130, 4).png().toBuffer(), 'image/png', 130],
    ['with a palette', await plain(128).png({ palette: true }).toBuffer(), 'image/png', 128],
    ['16 bits', await plain(128).toColourspace('rgb16').png().toBuffer(), 'image/png', 128],
    ['CMYK', await plain(128).toColourspace('cmyk').jpeg().toBuffer(), 'image/jpeg', 128],
    ['one bit', bomb(128), 'image/png', 128],
    ['no type', await plain(128).png().toBuffer(), 'application/octet-stream', 128],
  ];
  for (const [what, file, type, side] of good) {
    const answer = await upload(file, { type });
    assert.equal(answer.status, 201, `${what}: ${answer.status === 201 ? '' : await answer.clone().text()}`);
    const { url } = (await answer.json()) as IconFile;
    const { format, width, height } = await sharp(
      Buffer.from(await (await fetch(url)).arrayBuffer()),
    ).metadata();
    assert.deepEqual({ format, width, height }, { format: 'png', width: side, height: side }, what);
  }
});

test('the first frame of an animation is used', async () => {
  const frames = Buffer.concat(
    [0xff0000, 0x00ff00].map((color) =>
      Buffer.from(
        Array(128 * 128)
          .fill([color >> 16, (color >> 8) & 255, color & 255])
          .flat(),
      ),
    ),
  );
  const moving = await sharp(frames, { raw: { width: 128, height: 256, channels: 3, pageHeight: 128 } })
    .webp({ loop: 0, delay: [100, 100] })
    .toBuffer();
  const { url } = (await (await upload(moving, { type: 'image/webp' })).json()) as IconFile;
  const png = sharp(Buffer.from(await (await fetch(url)).arrayBuffer()));
  assert.equal((await png.metadata()).height, 128);
  const [red, green] = await png.raw().toBuffer();
  assert.ok(red! > 200 && green! < 60, `${red} ${green}`);
});

test('nothing hidden in a file survives', async () => {
  const script = Buffer.from('<script>alert(document.domain)</script><?php system($_GET["c"]); ?>');
  const zip = Buffer.concat([
    Buffer.from('504b0304', 'hex'),
    script,
    Buffer.from('504b0506', 'hex'),
    Buffer.alloc(18),
  ]);
  const exif = { IFD0: { Copyright: script.toString(), Artist: 'Somebody at 52.5200 13.4050' } };
  const base = await picture(140).png().toBuffer();
  const end = base.length - 12;
  const hidden: [string, Buffer, string][] = [
    ['after the end', Buffer.concat([base, script]), 'image/png'],
    ['a ZIP after the end', Buffer.concat([base, zip]), 'image/png'],
    [
      'in a text chunk',
      Buffer.concat([
        base.subarray(0, end),
        chunk('tEXt', Buffer.concat([Buffer.from('Comment\0'), script])),
        base.subarray(end),
      ]),
      'image/png',
    ],
    [
      'in an unknown chunk',
      Buffer.concat([base.subarray(0, end), chunk('haXx', script), base.subarray(end)]),
      'image/png',
    ],
    ['in Exif', await plain(140).jpeg().withExif(exif).toBuffer(), 'image/jpeg'],
    ['after a JPEG', Buffer.concat([await plain(140).jpeg().toBuffer(), script, zip]), 'image/jpeg'],
    ['in Exif of a WebP', await plain(140).webp().withExif(exif).toBuffer(), 'image/webp'],
  ];
  for (const [what, file, type] of hidden) {
    assert.ok(file.includes('script'), what);
    const answer = await upload(file, { type });
    assert.equal(answer.status, 201, what);
    const { url } = (await answer.json()) as IconFile;
    const png = Buffer.from(await (await fetch(url)).arrayBuffer());
    for (const mark of ['script', 'php', 'PK\x03\x04', 'Somebody', 'haXx', 'eXIf', 'iCCP'])
      assert.ok(!png.includes(mark), `${what}: ${mark}`);
    assert.equal(png.toString('latin1', png.length - 8, png.length - 4), 'IEND', what);
  }
});

test('an unusable icon is refused at its field, and nothing is stored', async () => {
  const before = await stored();
  const svg = Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="200"><image href="file:///etc/passwd"/></svg>',
  );
  const png = await picture(256).png().toBuffer();
  const jpeg = await picture(256).jpeg().toBuffer();
  const webp = await picture(256).webp().toBuffer();
  const huge = Buffer.from(png);
  huge.writeUInt32BE(60_000, 16);
  huge.writeUInt32BE(60_000, 20);
  const bad: [string, Buffer, string, RegExp][] = [
    ['nothing', Buffer.alloc(0), 'image/png', /must not be empty/],
    ['text', Buffer.from('hello'), 'image/png', /must be a PNG, JPEG or WebP/],
    ['SVG', svg, 'image/svg+xml', /must be a PNG, JPEG or WebP/],
    ['SVG labelled as PNG', svg, 'image/png', /must be a PNG, JPEG or WebP/],
    ['GIF', await plain(200).gif().toBuffer(), 'image/gif', /must be a PNG, JPEG or WebP/],
    ['TIFF', await plain(200).tiff().toBuffer(), 'image/png', /must be a PNG, JPEG or WebP/],
    ['HTML', Buffer.from('<!doctype html><script>1</script>'), 'text/html', /must be a PNG, JPEG or WebP/],
    ['RIFF but not WebP', Buffer.from('RIFF....WAVEfmt '), 'image/webp', /must be a PNG, JPEG or WebP/],
    ['a PNG labelled as JPEG', png, 'image/jpeg', /is a PNG, and says that it is image\/jpeg/],
    ['a PNG labelled as HTML', png, 'text/html', /is a PNG, and says that it is text\/html/],
    ['half a PNG', png.subarray(0, png.length / 2), 'image/png', /cannot be read as a PNG/],
    ['half a JPEG', jpeg.subarray(0, jpeg.length / 2), 'image/jpeg', /cannot be read as a JPEG/],
    ['half a WebP', webp.subarray(0, webp.length / 2), 'image/webp', /cannot be read as a WebP/],
    ['only a header', png.subarray(0, 8), 'image/png', /cannot be read as a PNG/],
    [
      'a PNG with noise',
      Buffer.concat([png.subarray(0, 60), randomBytes(4000)]),
      'image/png',
      /cannot be read as a PNG/,
    ],
    ['missing rows', bomb(2000, 10), 'image/png', /cannot be read as a PNG/],
    ['too wide', await plain(200, 199).png().toBuffer(), 'image/png', /must be square, not 200 by 199/],
    ['too small', await plain(127).png().toBuffer(), 'image/png', /at least 128 pixels a side, not 127/],
    ['one pixel', await plain(1).png().toBuffer(), 'image/png', /at least 128/],
    ['a bomb', bomb(20_000), 'image/png', /at most 4096 pixels a side|cannot be read/],
    ['a header with huge dimensions', huge, 'image/png', /at most 4096 pixels a side|cannot be read/],
  ];
  for (const [what, file, type, problem] of bad) {
    const { status, code, detail, paths } = await problemOf(await upload(file, { type }));
    assert.equal(status, 400, what);
    assert.equal(code, 'request.invalid', what);
    assert.match(detail, problem, what);
    assert.deepEqual(paths, ['icon'], what);
  }
  assert.equal(await stored(), before);
});

test('a file that is too large is not parsed', async () => {
  const before = await stored();
  const answer = await problemOf(await upload(Buffer.alloc(1_048_577, 1)));
  assert.deepEqual([answer.status, answer.code], [413, 'request.too-large']);
  assert.match(answer.detail, /icon must have at most 1048576 bytes/);
  // Without a Content-Length the size is unknown in advance.
  const endless = new ReadableStream({
    pull(controller) {
      controller.enqueue(Buffer.alloc(65_536, 0x2d));
    },
  });
  const refused = await fetch(service.url + PATH, {
    method: 'POST',
    headers: { ...merchant.headers, 'Content-Type': 'multipart/form-data; boundary=x' },
    body: endless,
    duplex: 'half',
  } as RequestInit).then(
    ({ status }) => status,
    // The connection may close before the response is read.
    () => 413,
  );
  assert.equal(refused, 413);
  assert.equal(await stored(), before);
});

test('a malformed upload form is refused', async () => {
  const png = await plain(128).png().toBuffer();
  const send = (body: BodyInit, type?: string) =>
    fetch(service.url + PATH, {
      method: 'POST',
      headers: { ...merchant.headers, ...(type ? { 'Content-Type': type } : {}) },
      body,
    });
  const form = (parts: [string, string | Buffer][]): FormData => {
    const data = new FormData();
    for (const [name, value] of parts)
      data.append(
        name,
        typeof value === 'string' ? value : new Blob([new Uint8Array(value)], { type: 'image/png' }),
      );
    return data;
  };
  const cases: [string, Promise<Response>, number, RegExp][] = [
    ['JSON', send('{"icon":"x"}', 'application/json'), 415, /multipart\/form-data/],
    ['the image itself', send(new Uint8Array(png), 'image/png'), 415, /multipart\/form-data/],
    ['another part', send(form([['picture', png]])), 400, /picture: is not an expected part/],
    ['text', send(form([['icon', 'hello']])), 400, /icon: must be a file/],
    [
      'two files',
      send(
        form([
          ['icon', png],
          ['icon', png],
        ]),
      ),
      400,
      /icon: must be the only part/,
    ],
    [
      'an additional field',
      send(
        form([
          ['icon', png],
          ['alias', 'x'],
        ]),
      ),
      400,
      /alias: is not an expected part/,
    ],
    ['no part', send('--x--\r\n', 'multipart/form-data; boundary=x'), 400, /icon: is missing|cannot be read/],
    ['no boundary', send('hello', 'multipart/form-data'), 400, /cannot be read/],
    [
      'a truncated form',
      send(
        '--x\r\nContent-Disposition: form-data; name="icon"; filename="a.png"\r\n\r\nabc',
        'multipart/form-data; boundary=x',
      ),
      400,
      /cannot be read/,
    ],
    ['a part named __proto__', send(form([['__proto__', png]])), 400, /cannot be read|not a part/],
  ];
  for (const [what, sent, status, problem] of cases) {
    const answer = await problemOf(await sent);
    assert.equal(answer.status, status, `${what}: ${answer.detail}`);
    assert.match(answer.detail, problem, what);
  }
  const anonymous = await fetch(service.url + PATH, { method: 'POST', body: form([['icon', png]]) });
  assert.equal(anonymous.status, 401);
});

test('a file name is sanitised', async () => {
  const png = await plain(128).png().toBuffer();
  const names: [string, string][] = [
    ['../../etc/passwd.jpeg', 'passwd.png'],
    ['C:\\fotos\\Logo neu.webp', 'Logo neu.png'],
    ['a‮gnp.exe', 'agnp.png'],
    ['.png', 'icon.png'],
    ['ü'.repeat(300), `${'ü'.repeat(120)}.png`],
  ];
  for (const [filename, kept] of names) {
    const answer = await upload(png, { filename });
    assert.equal(answer.status, 201, filename);
    assert.equal(((await answer.json()) as IconFile).filename, kept);
  }
});

test('an application’s page has its colors and icon', async () => {
  const { id: icon } = (await (await upload(await plain(128).png().toBuffer())).json()) as IconFile;
  const set = (more: object, who = merchant) =>
    service.post(
      '/account/settings/branding',
      { settings: { branding: { primary_color: '#1f4d3a', secondary_color: '#EFE8DA', icon, ...more } } },
      who.headers,
    );
  const answer = await set({});
  assert.equal(answer.status, 200);
  assert.deepEqual(await answer.json(), {
    settings: { branding: { primary_color: '#1f4d3a', secondary_color: '#EFE8DA', icon } },
  });
  const wrong: [object, string][] = [
    [{ icon: 'file_unknown' }, 'settings.branding.icon'],
    [{ icon: undefined }, 'settings.branding.icon'],
    [{ primary_color: 'red' }, 'settings.branding.primary_color'],
    [{ secondary_color: '#12345' }, 'settings.branding.secondary_color'],
    [{ secondary_color: '#12345678' }, 'settings.branding.secondary_color'],
    [{ secondary_color: '#1234' }, 'settings.branding.secondary_color'],
    [{ secondary_color: '#12' }, 'settings.branding.secondary_color'],
    [{ primary_color: null }, 'settings.branding.primary_color'],
  ];
  for (const [more, path] of wrong) {
    const { status, paths } = await problemOf(await set(more));
    assert.equal(status, 400, path);
    assert.deepEqual(paths, [path]);
  }
  const stranger = await merchantOf(service);
  assert.deepEqual((await problemOf(await set({}, stranger))).paths, ['settings.branding.icon']);
  const rows = await service.service.db
    .selectFrom('branding')
    .select(['application_id', 'secondary_color'])
    .execute();
  assert.deepEqual(rows, [{ application_id: merchant.id, secondary_color: '#EFE8DA' }]);
  const { detail } = await problemOf(await set({ secondary_color: '#1f4d3a80' }));
  assert.match(detail, /secondary_color: must be a color such as #1f4d3a or #fff: .*without transparency/);
  const short = (await (await set({ primary_color: '#Fa0' })).json()) as Branding;
  assert.equal(short.settings.branding.primary_color, '#Fa0', 'returned as it was sent');
  const { primary_color } = await service.service.db
    .selectFrom('branding')
    .select('primary_color')
    .executeTakeFirstOrThrow();
  assert.equal(primary_color, '#FFaa00');
});

test('old icons are deleted, except the one in use', async () => {
  const collector = await merchantOf(service);
  const png = await plain(128).png().toBuffer();
  const ids: string[] = [];
  for (let i = 0; i < 24; i++) {
    const { id } = (await (await upload(png, { who: collector })).json()) as IconFile;
    ids.push(id);
    if (i === 0)
      await service.post(
        '/account/settings/branding',
        { settings: { branding: { primary_color: '#000000', secondary_color: '#ffffff', icon: id } } },
        collector.headers,
      );
  }
  const found = await Promise.all(ids.map(async (id) => (await service.get(`/icons/${id}`)).status));
  assert.equal(found[0], 200);
  assert.deepEqual(found.slice(1, 4), [404, 404, 404]);
  assert.ok(found.slice(4).every((status) => status === 200));
});
