import { expect } from '@open-wc/testing';
import { describeOrigin, siteName } from '../../../../src/frame/shell/origin.ts';
import { decodePunycode, readableHost } from '../../../../src/frame/shell/origin-unicode.ts';
import { Shell } from '../../../../src/frame/shell/shell.ts';
import { poll } from '../../../waiting.ts';
import data from '../../../vectors/origin-display-unicode.vectors.json';

/** Subdomains | registrable domain | port, as the header shows them. */
const parts = (origin: string): string => {
  const { prefix, domain, port } = describeOrigin(origin);
  return `${prefix}|${domain}|${port}`;
};

describe('the origin in the header', () => {
  const table: [origin: string, shown: string][] = [
    ['https://shop.example', '|shop.example|'],
    ['https://www.shop.example', 'www.|shop.example|'],
    [
      'https://checkout.eu-west.payments.northern-outfitters.example',
      'checkout.eu-west.payments.|northern-outfitters.example|',
    ],
    ['https://shop.example.', '|shop.example.|'],
    ['https://a.shop.example.', 'a.|shop.example.|'],
    ['https://shop.example:8443', '|shop.example|:8443'],
    // Registries of two-letter TLDs.
    ['https://www.shop.co.uk', 'www.|shop.co.uk|'],
    ['https://co.uk', '|co.uk|'],
    ['https://a.b.com.au', 'a.|b.com.au|'],
    ['https://www.laden.de', 'www.|laden.de|'],
    // Uncertain: everything is bold.
    ['https://www.abc.uk', '|www.abc.uk|'],
    ['https://city.osaka.jp', '|city.osaka.jp|'],
    ['https://name.uk.com', '|name.uk.com|'],
    ['https://bucket.s3.eu-west-1.amazonaws.com', '|bucket.s3.eu-west-1.amazonaws.com|'],
    // Names that anybody can get.
    ['https://evil.github.io', '|evil.github.io|'],
    ['https://deep.evil.pages.dev', 'deep.|evil.pages.dev|'],
    ['https://evil.vercel.app', '|evil.vercel.app|'],
    ['https://github.io.evil.example', 'github.io.|evil.example|'],
    // A known name in front of somebody else's.
    ['https://shop.example.evil.example', 'shop.example.|evil.example|'],
    // Not names at all.
    ['http://localhost:8080', '|localhost|:8080'],
    ['http://app.localhost:5173', '|app.localhost|:5173'],
    ['http://127.0.0.1:5173', '|127.0.0.1|:5173'],
    ['https://[2001:db8::1]:8443', '|[2001:db8::1]|:8443'],
    ['chrome-extension://abcdefghijklmnop', '|abcdefghijklmnop|'],
    ['null', '|null|'],
    ['', '||'],
  ];
  for (const [origin, shown] of table)
    it(`${origin || 'nothing'} → ${shown}`, () => expect(parts(origin)).to.equal(shown));

  it('is secure over https only, on localhost too', () => {
    expect(describeOrigin('https://shop.example').secure).to.equal(true);
    expect(describeOrigin('http://shop.example').secure).to.equal(false);
    expect(describeOrigin('http://localhost:5173').secure).to.equal(false);
    expect(describeOrigin('null').secure).to.equal(false);
  });

  it('is one text in sentences', () => {
    expect(siteName('https://www.shop.example')).to.equal('www.shop.example');
    expect(siteName('http://localhost:5173')).to.equal('localhost:5173');
  });

  it('cuts the readable name where it cuts the ASCII one', () => {
    const host = readableHost('www.xn--bcher-kva.co.uk');
    expect(describeOrigin('https://www.xn--bcher-kva.co.uk', host)).to.include({
      prefix: 'www.',
      domain: 'bücher.co.uk',
    });
  });
});

describe('internationalised names', () => {
  for (const vector of data.vectors as {
    kind: string;
    ascii?: string;
    unicode?: string;
    expected?: string;
    comment?: string;
  }[])
    if (vector.kind === 'idn')
      it(`${vector.ascii} is ${vector.expected === 'safe' ? `shown as ${vector.unicode}` : 'left alone'}: ${vector.comment}`, () =>
        expect(readableHost(vector.ascii ?? '')).to.equal(
          vector.expected === 'safe' ? vector.unicode : vector.ascii,
        ));

  for (const vector of data.vectors as {
    kind: string;
    a?: string;
    b?: string;
    aName?: string;
    bName?: string;
  }[])
    if (vector.kind === 'confusable-pair')
      it(`${vector.bName} never stands for ${vector.aName}`, () => {
        const character = (code = ''): string => String.fromCodePoint(Number.parseInt(code.slice(2), 16));
        const alike = character(vector.b).toLowerCase();
        for (const name of [`${alike}bank`, `bank${alike}`, alike, alike + alike]) {
          const { hostname } = new URL(`https://${name}.example`);
          expect(readableHost(hostname)).to.equal(hostname);
        }
      });

  for (const vector of data.vectors as { kind: string; codePoint?: string; name?: string }[])
    if (vector.kind === 'bidi-control' || vector.kind === 'join-control')
      it(`${vector.name} is never shown`, () => {
        const hidden = String.fromCodePoint(Number.parseInt(vector.codePoint?.slice(2) ?? '', 16));
        for (const name of [`shop${hidden}a`, `م${hidden}ن`, `म${hidden}न`]) {
          const ascii = encode(name);
          expect(decodePunycode(ascii.slice(4))).to.equal(name);
          expect(readableHost(`${ascii}.example`)).to.equal(`${ascii}.example`);
        }
      });

  it('keeps two right-to-left labels from changing places', () => {
    expect(readableHost('xn--mgba1fmg.xn--mgba1fmg')).to.equal('xn--mgba1fmg.xn--mgba1fmg');
  });

  it('decodes what RFC 3492 encodes', () => {
    // RFC 3492, section 7.1: (A) Arabic, (B) Chinese, (I) Russian, (L) Japanese with ASCII.
    expect(decodePunycode('egbpdaj6bu4bxfgehfvwxn')).to.equal('ليهمابتكلموشعربي؟');
    expect(decodePunycode('ihqwcrb4cv8a8dqg056pqjye')).to.equal('他们为什么不说中文');
    expect(decodePunycode('b1abfaaepdrnnbgefbadotcwatmq2g4l')).to.equal('почемужеонинеговорятпорусски');
    expect(decodePunycode('3b-ww4c5e180e575a65lsy2b')).to.equal('3年b組金八先生');
  });

  it('decodes nothing from nonsense', () => {
    for (const text of ['example-', 'a!', '99999999', 'é', 'zzzzzzzzzzzzzzzzzzzzzzzzzzzz'])
      expect(readableHost(`xn--${text}.com`)).to.equal(`xn--${text}.com`);
  });

  it('reach the header', async () => {
    const shell = new Shell();
    shell.origin = 'https://www.xn--bcher-kva.de';
    document.body.append(shell);
    try {
      await shell.updateComplete;
      const shown = (): string => shell.shadowRoot?.querySelector('.origin')?.textContent ?? '';
      expect(shown()).to.equal('https://www.xn--bcher-kva.de');
      await poll(() => !shown().includes('xn--'), 'the name in its own letters');
      expect(shown()).to.equal('https://www.bücher.de');
      expect(shell.shadowRoot?.querySelector('b')?.textContent).to.equal('bücher.de');
      shell.origin = 'https://shop.example';
      await shell.updateComplete;
      expect(shown()).to.equal('https://shop.example');
    } finally {
      shell.remove();
    }
  });
});

/** RFC 3492, implemented here because `URL` refuses to encode the names of these tests. */
function encode(text: string): string {
  const points = [...text].map((c) => c.codePointAt(0) as number);
  const basic = points.filter((p) => p < 128);
  let output = String.fromCodePoint(...basic) + (basic.length ? '-' : '');
  const digit = (d: number): string => String.fromCharCode(d < 26 ? d + 97 : d + 22);
  let [n, delta, bias, done] = [128, 0, 72, basic.length];
  while (done < points.length) {
    const next = Math.min(...points.filter((p) => p >= n));
    delta += (next - n) * (done + 1);
    n = next;
    for (const p of points) {
      if (p < n) delta++;
      if (p !== n) continue;
      let q = delta;
      for (let k = 36; ; k += 36) {
        const t = Math.min(26, Math.max(1, k - bias));
        if (q < t) break;
        output += digit(t + ((q - t) % (36 - t)));
        q = Math.floor((q - t) / (36 - t));
      }
      output += digit(q);
      delta = done === basic.length ? Math.floor(delta / 700) : delta >> 1;
      delta += Math.floor(delta / (done + 1));
      let k = 0;
      for (; delta > 455; k += 36) delta = Math.floor(delta / 35);
      bias = k + Math.floor((36 * delta) / (delta + 38));
      delta = 0;
      done++;
    }
    delta++;
    n++;
  }
  return `xn--${output}`;
}
