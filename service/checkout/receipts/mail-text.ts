/** A receipt as an e-mail: plain text, and the same as simple HTML, in one of the languages of the payment page. */
import type { Receipt } from '../../../src/api/receipt.ts';
import { currencyDigits } from '../../../src/api/currency.ts';
import { match, translating } from '../../../src/base/languages.ts';
import { install, msg, str } from '../../../src/base/localize.ts';
import { escape } from '../../http/html.ts';

export interface MailText {
  subject: string;
  text: string;
  html: string;
}

type Row = readonly [name: string, value: string, link?: string];

/** `tag`: the customer's language, such as `de-CH`. English if there is no translation. */
export async function mailText(receipt: Receipt, tag: string): Promise<MailText> {
  const { mail } = await import('../../../src/locales/mail.ts');
  const code = match([tag], mail) ?? 'en';
  const catalogue = code === 'en' ? undefined : (await mail[code as keyof typeof mail]()).default;
  const form = formOf(code === match([tag], mail) ? tag : code);
  const dir = code === 'ar' ? 'rtl' : 'ltr';
  // Nothing is awaited in between: no other text is written in this language.
  install({ lang: code, dir }, form, catalogue && translating(catalogue, code));
  try {
    return written(receipt, { code, dir, form });
  } finally {
    install({ lang: 'en', dir: 'ltr' }, undefined);
  }
}

/** For `Intl`: digits and calendar as everywhere else. */
const formOf = (tag: string): string =>
  new Intl.Locale(tag, { numberingSystem: 'latn', calendar: 'gregory' }).toString();

interface Language {
  code: string;
  dir: string;
  form: string;
}

/** No line breaks, and nothing that turns the text around it. */
const oneLine = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim();

function priceIn(form: string, minorUnits: number, currency: string): string {
  const digits = currencyDigits(currency);
  const text = String(minorUnits).padStart(digits + 1, '0');
  const plain = digits ? `${text.slice(0, -digits)}.${text.slice(-digits)}` : text;
  return new Intl.NumberFormat(form, {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(plain as Intl.StringNumericLiteral);
}

function written(receipt: Receipt, language: Language): MailText {
  const { number, paidAt, reference, lineItems, currency, amountTotal, livemode } = receipt;
  const merchant = oneLine(receipt.merchant);
  const price = (amount: number): string => priceIn(language.form, amount, currency);
  const date = new Intl.DateTimeFormat(language.form, {
    dateStyle: 'long',
    timeStyle: 'long',
    timeZone: 'UTC',
  }).format(paidAt);
  const facts: Row[] = [
    [msg('Receipt number'), number],
    [msg('Paid on'), date],
    [msg('Paid to'), merchant],
    ...(reference === null ? [] : [[msg('Order'), oneLine(reference)] as const]),
    ...paidWith(receipt),
  ];
  const items: Row[] = lineItems.map(({ name, quantity, unitAmount, amount }) => [
    oneLine(quantity > 1 ? `${name} (${quantity} × ${price(unitAmount)})` : name),
    price(amount),
  ]);
  const total: Row = [msg('Total'), price(amountTotal)];
  const title = msg('Receipt');
  const test = livemode ? [] : [msg('No money moves here.')];
  const why = msg(
    str`You get this e-mail because somebody entered your address at the end of an order from ${merchant}.`,
  );
  return {
    subject: msg(str`Your receipt from ${merchant}`),
    text: plainText([title, ...test], [facts, [...items, total]], why),
    html: htmlText({ title, test, facts, items, total, why }, language),
  };
}

function paidWith({ amountTotal, card, coins }: Receipt): Row[] {
  return [
    ...(amountTotal === 0 ? [[msg('Payment'), msg('Free')] as const] : []),
    ...(card ? [[msg('Card'), `•••• ${card.last4}`] as const] : []),
    ...coins.flatMap(({ amount, symbol, networkName, transactionHash, transactionUrl }): Row[] => [
      [msg('From your wallet'), oneLine(`${amount} ${symbol}`)],
      [msg('Network'), oneLine(networkName)],
      transactionUrl
        ? [msg('Transaction hash'), transactionHash, transactionUrl]
        : [msg('Transaction hash'), transactionHash],
    ]),
  ];
}

function plainText(titles: readonly string[], blocks: readonly Row[][], why: string): string {
  const lines = ([name, value, link]: Row): string => [name, value, link].filter(Boolean).join('\n  ');
  return `${[...titles, ...blocks.map((rows) => rows.map(lines).join('\n')), why].join('\n\n')}\n`;
}

interface Parts {
  title: string;
  test: readonly string[];
  facts: readonly Row[];
  items: readonly Row[];
  total: Row;
  why: string;
}

function htmlText({ title, test, facts, items, total, why }: Parts, { code, dir }: Language): string {
  const cell = (value: string, link?: string): string =>
    link ? `<a href="${escape(link)}"><bdi>${escape(value)}</bdi></a>` : `<bdi>${escape(value)}</bdi>`;
  const table = (rows: readonly Row[]): string =>
    `<table cellpadding="4">${rows
      .map(
        ([name, value, link]) =>
          `<tr><th align="start" scope="row"><bdi>${escape(name)}</bdi></th><td>${cell(value, link)}</td></tr>`,
      )
      .join('\n')}</table>`;
  return `<!doctype html>
<html lang="${code}" dir="${dir}">
<head><meta charset="utf-8"><title>${escape(title)}</title></head>
<body>
<h1>${escape(title)}</h1>
${test.map((line) => `<p><strong>${escape(line)}</strong></p>\n`).join('')}${table(facts)}
<hr>
${table([...items, total])}
<p><small>${escape(why)}</small></p>
</body>
</html>
`;
}
