/** The errors that a developer reads about a request, and whether a request corrected accordingly is accepted. */
import { expect } from '@open-wc/testing';
import { loadPayloads, loadChain, type SecretType } from '../../../src/chains/index.ts';
import { checkCoins } from '../../../src/chains/requests/build-body.ts';
import { ConnectError, RequestInvalidError } from '../../../src/base/errors.ts';

const TO = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const TRON = 'TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC';

const NATIVE: Partial<Record<SecretType, Record<string, unknown>>> = {
  ETHEREUM: { type: 'ETH_TRANSACTION', walletId: 'w', to: TO, value: 1 },
  TRON: { type: 'TRX_TRANSACTION', walletId: 'w', to: TRON, value: 1 },
  VECHAIN: { type: 'VET_TRANSACTION', walletId: 'w', clauses: [{ to: TO, amount: 1 }] },
};

async function issues(secretType: SecretType, change: object, of: 'parse' | 'parseSigning' = 'parse') {
  const payloads = await loadPayloads(secretType);
  try {
    payloads[of]({ ...(of === 'parse' ? NATIVE[secretType] : {}), ...change });
  } catch (error) {
    if (error instanceof RequestInvalidError)
      return error.issues.map(({ path, message }) => `${path} ${message}`).join('; ');
    throw error;
  }
  return 'accepted';
}

describe('what is wrong with a request', () => {
  for (const [secretType, change, said] of [
    ['ETHEREUM', { nonce: 'abc' }, 'nonce must be a whole number in decimal digits, for example 12'],
    ['ETHEREUM', { nonce: '0x0c' }, 'nonce must be written in decimal digits, not as hex: 12'],
    ['ETHEREUM', { nonce: 1.5 }, 'nonce must be a whole number'],
    ['ETHEREUM', { value: 0.1 }, 'value must be a whole number of wei: 0.1 ETH is 100000000000000000'],
    ['ETHEREUM', { value: '1e18' }, 'value must be written without an exponent, for example 12'],
    ['ETHEREUM', { gasPrice: 1.5 }, 'gasPrice must be a whole number of wei: 1.5 gwei is 1500000000'],
    ['TRON', { value: 0.5 }, 'value must be a whole number of sun: 0.5 TRX is 500000'],
    ['TRON', { value: 0.0000005 }, 'value must be a whole number of sun'],
    [
      'ETHEREUM',
      { to: 'someone@example.org' },
      'to is an e-mail address or a name, which only a transfer takes; give the address it stands for',
    ],
    ['ETHEREUM', { gasLimit: 21000 }, 'gasLimit is not a field of this request; did you mean gas?'],
    ['ETHEREUM', { GASPRICE: 1 }, 'GASPRICE is not a field of this request; did you mean gasPrice?'],
    ['TRON', { gasLimit: 1 }, 'gasLimit is not a field of this request; leave it out'],
    [
      'VECHAIN',
      { clauses: [{ to: TO, amount: 1, value: 1 }] },
      'clauses.0.value is not a field of this request; did you mean amount?',
    ],
  ] as const)
    it(`${secretType} ${JSON.stringify(change)}`, async () => {
      expect(await issues(secretType, change)).to.equal(said);
    });

  it('errors of a token’s id and amount say what they count', async () => {
    const { parse } = await loadPayloads('ETHEREUM');
    const nft = { type: 'NFT_TRANSFER', secretType: 'ETHEREUM', walletId: 'w', to: TO, tokenAddress: TO };
    expect(() => parse({ ...nft, tokenId: 1.5 })).to.throw('tokenId: must be a whole number [');
    expect(() => parse({ ...nft, tokenId: 2 ** 60 })).to.throw('pass it as a decimal string');
    const token = { type: 'ETHEREUM_ERC20_TRANSACTION', walletId: 'w', to: TO, tokenAddress: TO };
    // Not `data`, which has no effect.
    const noted = { ...token, type: 'TOKEN_TRANSFER', secretType: 'ETHEREUM', value: 1, memo: 'x' };
    expect(() => parse(noted)).to.throw('memo: is not a field of this request; leave it out');
    expect(() => parse({ ...token, value: 0.5 })).to.throw('whole number of the token’s smallest units');
  });

  it('names the chain that is missing or only spelled differently', async () => {
    for (const given of [undefined, null])
      for (const load of [loadChain, loadPayloads]) {
        const error = await load(given as never).catch((e: unknown) => e);
        expect((error as RequestInvalidError).issues[0]!.path).to.equal('secretType');
      }
    const error = (await loadChain('ethereum' as never).catch((e: unknown) => e)) as ConnectError;
    expect(error.code).to.equal('chain.not-supported');
    expect(error.message).to.contain('did you mean ETHEREUM?');
    expect(await issues('TRON', { type: 'NFT_TRANSFER' })).to.match(/^secretType is required/);
  });

  it('translates the names of wallet providers', async () => {
    const sign = (secretType: SecretType, type: string) => issues(secretType, { type }, 'parseSigning');
    expect(await sign('ETHEREUM', 'personal_sign')).to.match(
      /^type must be one of .*; for personal_sign use ETHEREUM_\w+$/,
    );
    expect(await sign('GOCHAIN', 'eth_signTypedData_v4')).to.match(/use GOCHAIN_TYPED_DATA$/);
    expect(await issues('ETHEREUM', { type: 'eth_sendTransaction' })).to.match(/use ETH_TRANSACTION$/);
    expect(await issues('ETHEREUM', { type: 'eth_transaction' })).to.match(/use ETH_TRANSACTION$/);
  });

  it('recognises smallest units in place of coins', () => {
    const eth = { symbol: 'ETH', decimals: 18 };
    const one = 10n ** 18n;
    const check = (value: string, balance: bigint) => checkCoins({ type: 'TRANSFER', value }, balance, eth);
    expect(() => check('250000000000000000', 5n * one)).to.throw(
      'value: is in ETH, and more than 10^9 times what the wallet holds: decimal coins are meant; for 250000000000000000 smallest units write 0.25',
    );
    expect(() => check('1000000001', 0n)).to.throw('write 0.000000001000000001');
    expect(() => check('1000000000', 0n)).not.to.throw();
    expect(() => check('5000000000', 5n * one)).not.to.throw();
    expect(() => checkCoins({ type: 'ETH_TRANSACTION', value: 10n ** 40n }, 0n, eth)).not.to.throw();
  });
});
