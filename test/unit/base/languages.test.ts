import { expect } from '@open-wc/testing';
import { html, nothing, render } from 'lit';
import type { ConnectElement } from '../../../src/elements/connect-element.ts';
import { install, language, msg, plural, str } from '../../../src/base/localize.ts';
import { type Catalogue, keyOf, match, messageId, translating } from '../../../src/base/languages.ts';
import { speak } from '../../../src/ui/languages.ts';
import { figure, writeAmountsIn } from '../../../src/ui/amount-text.ts';
import { maybe, settle, show, until } from '../elements/page.ts';
import { MAIN } from '../elements/fake-connect.ts';
import { speakTo as speakInWallet } from '../../../src/frame/language.ts';
import { speakTo as speakOnPage } from '../../../src/pay/language.ts';
import { speakIn } from '../../../src/elements/language.ts';
import { elements } from '../../../src/locales/elements.ts';
import { frame } from '../../../src/locales/frame.ts';
import { speakEnglish } from '../pseudo.ts';

const id = (...strings: string[]): string => keyOf(messageId(strings));
const speakWith = (code: string, catalogue: Catalogue): void =>
  install({ lang: code, dir: 'ltr' }, code, translating(catalogue, code));

describe('the id of a text', () => {
  it('is its FNV-1a hash, as in `@lit/localize`', () => {
    expect([[''], ['a'], ['foobar']].map(messageId)).to.deep.equal([
      'scbf29ce484222325',
      'saf63dc4c8601ec8c',
      's85944171f73967e8',
    ]);
    expect(messageId(['Hello <b>', '</b>!']).slice(1)).to.equal('82ccc38d4d46eaa9');
  });
});

describe('a translation', () => {
  afterEach(speakEnglish);

  it('takes the place of the English text, with its values in its own order', () => {
    speakWith('de', { [id('Send')]: 'Senden', [id('', ' of ', '')]: ['von ', 1, ' sind es ', 0] });
    expect(msg('Send')).to.equal('Senden');
    expect(msg(str`${2} of ${3}`)).to.equal('von 3 sind es 2');
  });

  it('falls back to English text by text', () => {
    speakWith('de', { [id('Send')]: 'Senden' });
    expect(msg('Receive')).to.equal('Receive');
    expect(msg(str`Send ${1}`)).to.equal('Send 1');
  });

  it('has the form that its language uses for a number', () => {
    const other = [0, ' محفظة'];
    speakWith('ar', {
      [id('', ' wallets')]: { by: 0, two: ['محفظتان'], few: [0, ' محافظ'], many: other, other },
    });
    const said = (count: number): string => plural(count, msg('1 wallet'), msg(str`${count} wallets`));
    expect([2, 3, 11].map((count) => said(count).replace(/[\u2068\u2069]/g, ''))).to.deep.equal([
      'محفظتان',
      '3 محافظ',
      '11 محفظة',
    ]);
  });

  it('keeps an amount together between words that read from right to left', () => {
    speakWith('ar', { [id('Send ', '')]: ['إرسال ', 0] });
    expect(msg(str`Send ${'0.25 ETH'}`)).to.equal('إرسال \u20680.25 ETH\u2069');
  });

  it('keeps a value with markup together, too', () => {
    install({ lang: 'ar', dir: 'rtl' }, 'ar', translating({ [id('Pay ', '')]: ['ادفع ', 0] }, 'ar'));
    const place = document.createElement('p');
    render(msg(html`Pay ${html`<b>Mug shop (EU)</b>`}`), place);
    expect(place.textContent).to.equal('ادفع \u2068Mug shop (EU)\u2069');
    render(nothing, place);
  });

  it('has the form of a number that is written with separators', () => {
    const other = [0, ' عنصر'];
    speakWith('ar', { [id('', ' items')]: { by: 0, few: [0, ' عناصر'], other } });
    const said = (figure: string): string => msg(str`${figure} items`).replace(/[\u2068\u2069]/g, '');
    expect([said('1,003'), said('1,000')]).to.deep.equal(['1,003 عناصر', '1,000 عنصر']);
  });

  it('is text: what it contains is never markup, and values keep theirs', () => {
    speakWith('de', { [id('Pay ', '')]: ['<b>Zahlen</b> ', 0] });
    const place = document.createElement('p');
    render(msg(html`Pay ${html`<bdi>1 ETH</bdi>`}`), place);
    expect(place.querySelector('b')).to.equal(null);
    expect(place.querySelector('bdi')?.textContent).to.equal('1 ETH');
    render(nothing, place);
  });
});

describe('the language', () => {
  it('writes times in Latin digits and our calendar, as amounts are', async () => {
    for (const tag of ['ar-EG', 'ar-SA']) {
      await speak([tag], frame, 'ar');
      const day = new Intl.DateTimeFormat(language, { dateStyle: 'short' }).format(new Date(2026, 10, 28));
      expect(
        day
          .replace(/[^\d]+/g, ' ')
          .trim()
          .split(' '),
      ).to.have.members(['28', '11', '2026']);
    }
  });

  afterEach(async () => {
    await speak(['en'], frame);
    writeAmountsIn();
    speakEnglish();
  });

  const cases: [wanted: string[], code: string | undefined][] = [
    [['de-AT'], 'de'],
    [['zh-CN'], 'zh-Hans'],
    [['zh-SG', 'en'], 'zh-Hans'],
    [['zh-TW', 'fr'], 'fr'],
    [['tlh', 'not a tag!', '', 'ar-EG'], 'ar'],
    [['en-GB', 'de'], 'en'],
    [['tlh'], undefined],
  ];
  for (const [wanted, code] of cases)
    it(`of ${wanted.join(', ') || 'nobody'} is ${code ?? 'English, for want of another'}`, () => {
      expect(match(wanted, frame)).to.equal(code);
    });

  it('of the wallet is what its user chose, whatever the page says', async () => {
    expect(await speak(['de'], frame, 'ar')).to.deep.equal({ lang: 'ar', dir: 'rtl' });
    expect(msg('Approve')).to.equal('موافقة');
  });

  for (const [browser, hint, chosen, code] of [
    [['en-US'], 'ar', '', 'en'],
    [['en-US', 'ar-EG'], 'ar', '', 'ar'],
    [['de-CH', 'fr'], 'fr-CA', '', 'fr'],
    [['de-CH'], 'en', '', 'de'],
    [['pl'], 'ja', '', 'en'],
    [['en-US'], 'not a tag!', '', 'en'],
    [['en-US', 'ar'], 'ar', 'de', 'de'],
    [['fr', 'en'], undefined, '', 'fr'],
  ] as const)
    it(`of the wallet is ${code} in a browser with ${browser.join(', ')} for a page in ${hint}, ${chosen || 'nothing'} chosen`, async () => {
      Object.defineProperty(navigator, 'languages', { configurable: true, value: browser });
      try {
        await speakInWallet(hint, chosen);
        expect(document.documentElement.lang).to.equal(code);
      } finally {
        Reflect.deleteProperty(navigator, 'languages');
        document.documentElement.lang = '';
        document.documentElement.dir = '';
      }
    });

  it('is that of the amounts beside the words, and never a choice of the page in the wallet', async () => {
    const written = () => figure({ raw: 1234567n, decimals: 2 });
    writeAmountsIn();
    const before = written();
    await speak(['de'], frame);
    expect(msg('Approve')).to.equal('Genehmigen');
    expect(written()).to.equal('12.345,67');
    await speak(['tlh'], frame);
    expect(written(), 'English for want of another').to.equal(before);
    await speak([], frame, 'de');
    expect(written()).to.equal('12.345,67');
    Object.defineProperty(navigator, 'languages', { configurable: true, value: ['en-US'] });
    try {
      await speakInWallet('de', '');
      expect(written()).to.equal('12,345.67');
    } finally {
      Reflect.deleteProperty(navigator, 'languages');
      document.documentElement.lang = document.documentElement.dir = '';
    }
  });

  it('is the last one that was asked for, however long the other takes', async () => {
    let arrive: (_: { default: Catalogue }) => void;
    const slow = { ...frame, fr: () => new Promise<{ default: Catalogue }>((resolve) => (arrive = resolve)) };
    const first = speak(['fr'], slow);
    await speak(['de'], slow);
    arrive!({ default: {} });
    expect(await first).to.equal(undefined);
    expect(msg('Approve')).to.equal('Genehmigen');
  });

  it('is English where its texts do not arrive', async () => {
    const broken = { ...frame, de: () => Promise.reject(new Error('offline')) };
    expect(await speak(['de'], broken)).to.deep.equal({ lang: 'en', dir: 'ltr' });
    expect(msg('Approve')).to.equal('Approve');
  });
});

describe('the payment page', () => {
  afterEach(async () => {
    await speak(['en'], frame);
    writeAmountsIn();
    speakEnglish();
    document.documentElement.lang = '';
  });

  it('speaks the language of its address', async () => {
    await speakOnPage('ar');
    expect(msg('Pay with card')).to.equal('الدفع بالبطاقة');
    const { lang, dir } = document.documentElement;
    expect([lang, dir]).to.deep.equal(['ar', 'rtl']);
  });
});

describe('an element', () => {
  const page = document.documentElement;
  const speaks = (element: ConnectElement, name: string): Promise<void> =>
    until(element, () => maybe(element, name) !== undefined);

  afterEach(async () => {
    page.lang = '';
    const { element } = await show('transfer-dialog', { locale: 'en' }, [MAIN]);
    await speaks(element, 'Send');
    element.removeAttribute('locale');
    element.locale = undefined;
    await settle(element);
    speakEnglish();
  });

  it('speaks the language of its `locale`, and says so', async () => {
    const { element } = await show('transfer-dialog', {}, [MAIN]);
    element.setAttribute('locale', 'de');
    await speaks(element, 'Senden');
    expect(element.lang).to.equal('de');
    element.setAttribute('locale', 'ar');
    await speaks(element, 'إرسال');
    expect([element.lang, element.dir]).to.deep.equal(['ar', 'rtl']);
    element.setAttribute('locale', 'en');
    await speaks(element, 'Send');
    expect(element.dir).to.equal('');
  });

  it('speaks the last of two languages that were asked for in one moment, and loads no other', async () => {
    const { element } = await show('transfer-dialog', {}, [MAIN]);
    const { es, fr } = elements;
    const loads: string[] = [];
    elements.es = () => (loads.push('es'), es());
    elements.fr = () => (loads.push('fr'), fr());
    try {
      speakIn('es');
      speakIn('fr');
      await speaks(element, 'Envoyer');
      expect([...new Set(loads)]).to.deep.equal(['fr']);
    } finally {
      Object.assign(elements, { es, fr });
    }
  });

  it('speaks the page’s language, and follows when that changes', async () => {
    const { element } = await show('transfer-dialog', {}, [MAIN]);
    page.lang = 'fr-CA';
    await speaks(element, 'Envoyer');
    page.lang = 'ja';
    await speaks(element, '送金');
  });
});
