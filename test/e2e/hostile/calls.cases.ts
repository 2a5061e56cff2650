/**
 * Attempts to get a call approved that does something else than it seems: what empties a wallet is hidden in a call inside the call, in
 * undecodable bytes, or behind a friendly name. Each one is shown and needs a tick, without which nothing is signed. The same script with
 * an honest call goes through.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, afterEach, before, describe } from 'node:test';
import {
  AbiCoder,
  Contract,
  ContractFactory,
  Interface,
  MaxUint256,
  parseEther,
  ZeroAddress,
  ZeroHash,
} from 'ethers';
import { artifact } from '../../../demo/networks/artifact.ts';
import type { Wallet } from '../../../src/api/wallet.ts';
import type { TransactionResult } from '../../../src/channel/messages.ts';
import { openWorld, PIN, surfaces, type Visitor, type WalletView, type World } from '../harness.ts';
import { unchanged } from './unmoved.ts';
import { core, variant } from '../parts.ts';

const THIEF = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F';
/** Contracts that are not deployed here get code that accepts every call and does nothing: the tests are about the requests. */
const ACCEPTS_ALL = '0x9999999999999999999999999999999999999999';
const MAX = (1n << 160n) - 1n;
const LATER = 4_000_000_000n;
/** What a wealthy wallet holds. */
const ALL_DUSD = parseEther('1000');

const ITEM = '(uint8,address,uint256,uint256,uint256)';
const PAID = '(uint8,address,uint256,uint256,uint256,address)';
const ORDER = `((address,address,${ITEM}[],${PAID}[],uint8,uint256,uint256,bytes32,uint256,bytes32,uint256),bytes)`;
const CALLS = new Interface([
  'function transfer(address,uint256)',
  'function transferFrom(address,address,uint256)',
  'function approve(address,uint256)',
  'function increaseAllowance(address,uint256)',
  'function setApprovalForAll(address,bool)',
  'function transferOwnership(address)',
  'function claim() payable',
  'function multicall(bytes[])',
  'function lockdown((address,address)[])',
  'function aggregate3((address,bool,bytes)[])',
  'function execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)',
  `function fulfillOrder(${ORDER},bytes32)`,
]);
/** Names that occur twice in CALLS. */
const PERMIT2 = new Interface(['function approve(address,address,uint160,uint48)']);
const DAI = new Interface(['function permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)']);
const ROUTER = new Interface(['function execute(bytes,bytes[])']);
const ACCOUNT = new Interface(['function execute(bytes32,bytes)']);
const encode = (types: string[], values: unknown[]): string =>
  AbiCoder.defaultAbiCoder().encode(types, values);
const call = (name: string, ...values: unknown[]): string => CALLS.encodeFunctionData(name, values);

interface Body {
  to: string;
  data: string;
  value?: bigint;
}
interface Attempt {
  name: string;
  /** The wallet's words for it. */
  told: string | RegExp;
  trick: Body;
  honest: Body;
}

let world: World;
before(async () => void (world = await openWorld()));
after(() => world.close());

/** An ERC-721 with multicall. */
async function deployPositions(owner: string): Promise<Contract> {
  const file = createRequire(import.meta.url).resolve(
    '@uniswap/v3-periphery/artifacts/contracts/NonfungiblePositionManager.sol/NonfungiblePositionManager.json',
  );
  const { abi, bytecode } = JSON.parse(readFileSync(file, 'utf8')) as { abi: []; bytecode: string };
  const signer = await world.chain.getSigner(3);
  const contract = await new ContractFactory(abi, bytecode, signer).deploy(owner, owner, owner);
  await contract.waitForDeployment();
  return new Contract(await contract.getAddress(), abi, world.chain);
}

/** A contract with an owner. */
async function deployOwned(owner: string): Promise<Contract> {
  const { abi, bytecode } = artifact('ProxyAdmin');
  const signer = await world.chain.getSigner(3);
  const contract = await new ContractFactory(abi, bytecode, signer).deploy();
  await contract.waitForDeployment();
  const owned = new Contract(await contract.getAddress(), abi, signer);
  await (await owned.getFunction('transferOwnership')(owner)).wait();
  return owned;
}

for (const where of surfaces('iframe'))
  describe(`calls that hide what they do, in ${where === 'iframe' ? 'the dialog' : 'a window, cross-site'}`, () => {
    let visitor: Visitor;
    let wallet: Wallet;
    let positions: Contract;
    let owned: Contract;
    let ticket: string;
    let attempts: Attempt[];

    before(async () => {
      visitor = await world.visit(where);
      wallet = await visitor.wealthyWallet();
      ticket = (await world.ethereum.ticketOf(await world.ethereum.give('NFT', wallet.address)))!;
      positions = await deployPositions(wallet.address);
      owned = await deployOwned(wallet.address);
      await world.chain.send('anvil_setCode', [ACCEPTS_ALL, '0x00']);
      attempts = attemptsOf();
    });
    after(() => visitor.close());
    afterEach(() => visitor.startAgain());

    const { DUSD, NFT } = {
      DUSD: () => world.ethereum.contracts.DUSD,
      NFT: () => world.ethereum.contracts.NFT,
    };

    function attemptsOf(): Attempt[] {
      const me = wallet.address;
      const at = String(positions.target);
      const dusd = DUSD();
      const send = { to: dusd, data: call('transfer', THIEF, 5n) };
      const safe = (operation: bigint, data: string): string =>
        call('execTransaction', ACCEPTS_ALL, 0n, data, operation, 0n, 0n, 0n, ZeroAddress, ZeroAddress, '0x');
      const order = (paid: unknown[], offer: unknown[]): string =>
        call(
          'fulfillOrder',
          [
            [THIEF, ZeroAddress, offer, paid, 0, 0n, LATER, ZeroHash, 1n, ZeroHash, BigInt(paid.length)],
            '0x',
          ],
          ZeroHash,
        );
      const path = `${dusd}000bb8${world.ethereum.contracts.DCENT.slice(2)}`;
      const swap = encode(
        ['address', 'uint256', 'uint256', 'bytes', 'bool'],
        ['0x0000000000000000000000000000000000000001', 5n, 4n, path, true],
      );
      const permit = encode(
        ['((address,uint160,uint48,uint48),address,uint256)', 'bytes'],
        [[[dusd, MAX, LATER, 0n], THIEF, LATER], '0x'],
      );
      return [
        {
          name: 'a function that nobody knows',
          told: 'You cannot read this call',
          trick: { to: ACCEPTS_ALL, data: '0xdeadbeef' },
          honest: send,
        },
        {
          name: 'a known call with bytes after its end',
          told: 'You cannot read this call',
          trick: { to: dusd, data: `${call('approve', THIEF, MaxUint256)}00` },
          honest: { to: dusd, data: call('approve', ACCEPTS_ALL, 5n) },
        },
        {
          name: 'an approval for all inside a multicall',
          told: /could take all your/,
          trick: { to: at, data: call('multicall', [call('setApprovalForAll', THIEF, true)]) },
          honest: { to: at, data: call('multicall', [call('setApprovalForAll', THIEF, false)]) },
        },
        {
          name: 'an approval for all inside a multicall inside a multicall',
          told: /could take all your/,
          trick: {
            to: at,
            data: call('multicall', [call('multicall', [call('setApprovalForAll', THIEF, true)])]),
          },
          honest: {
            to: at,
            data: call('multicall', [call('multicall', [call('setApprovalForAll', THIEF, false)])]),
          },
        },
        {
          name: 'a multicall with one call in it that cannot be read',
          told: 'You cannot read this call',
          trick: { to: ACCEPTS_ALL, data: call('multicall', [call('claim'), '0xdeadbeef']) },
          honest: { to: ACCEPTS_ALL, data: call('multicall', [call('claim'), call('claim')]) },
        },
        {
          name: 'an allowance that grows without end',
          told: 'This contract could take all your DUSD',
          trick: { to: dusd, data: call('increaseAllowance', THIEF, MaxUint256 - 10n) },
          honest: { to: dusd, data: call('increaseAllowance', ACCEPTS_ALL, 5n) },
        },
        {
          name: 'a limit of all that is held',
          told: 'This contract could take all your DUSD',
          trick: { to: dusd, data: call('approve', ACCEPTS_ALL, ALL_DUSD) },
          honest: { to: dusd, data: call('approve', ACCEPTS_ALL, ALL_DUSD / 2n) },
        },
        {
          name: 'a limit for a person',
          told: 'No contract stands behind this address',
          trick: { to: dusd, data: call('approve', THIEF, 5n) },
          honest: { to: dusd, data: call('approve', ACCEPTS_ALL, 5n) },
        },
        {
          name: 'an approval of an item that looks like a limit of its number',
          told: /This contract could take your .* #/,
          trick: { to: NFT(), data: call('approve', THIEF, BigInt(ticket)) },
          honest: { to: NFT(), data: call('approve', ZeroAddress, BigInt(ticket)) },
        },
        {
          name: 'the ownership of a contract',
          told: 'This gives control of a contract away',
          trick: { to: String(owned.target), data: call('transferOwnership', THIEF) },
          honest: send,
        },
        {
          name: 'all of a token by DAI’s permit, with a signature given before',
          told: 'This contract could take all your DUSD',
          trick: {
            to: dusd,
            data: DAI.encodeFunctionData('permit', [me, THIEF, 0n, 0n, true, 27, ZeroHash, ZeroHash]),
          },
          honest: send,
        },
        {
          name: 'all of a token by Permit2',
          told: 'This contract could take all your DUSD',
          trick: {
            to: ACCEPTS_ALL,
            data: PERMIT2.encodeFunctionData('approve', [dusd, THIEF, MAX, LATER]),
          },
          honest: { to: ACCEPTS_ALL, data: call('lockdown', [[dusd, THIEF]]) },
        },
        {
          name: 'a permit among the commands of a router',
          told: 'This contract could take all your DUSD',
          trick: { to: ACCEPTS_ALL, data: ROUTER.encodeFunctionData('execute', ['0x0a00', [permit, swap]]) },
          honest: { to: ACCEPTS_ALL, data: ROUTER.encodeFunctionData('execute', ['0x00', [swap]]) },
        },
        {
          name: 'a router’s command that nobody knows',
          told: 'You cannot read this call',
          trick: { to: ACCEPTS_ALL, data: ROUTER.encodeFunctionData('execute', ['0x003f', [swap, '0x']]) },
          honest: { to: ACCEPTS_ALL, data: ROUTER.encodeFunctionData('execute', ['0x00', [swap]]) },
        },
        {
          name: 'an order that takes tokens and gives nothing',
          told: 'You pay, and nothing comes back',
          trick: { to: ACCEPTS_ALL, data: order([[1, dusd, 0n, 1000n, 1000n, THIEF]], []) },
          honest: {
            to: ACCEPTS_ALL,
            data: order([[0, ZeroAddress, 0n, 1n, 1n, THIEF]], [[2, NFT(), 999n, 1n, 1n]]),
            value: 1n,
          },
        },
        {
          name: 'your tokens in a batch that somebody else’s contract sends',
          told: /This call also sends .* DUSD/,
          trick: {
            to: ACCEPTS_ALL,
            data: call('aggregate3', [[dusd, true, call('transferFrom', me, THIEF, parseEther('1000'))]]),
          },
          honest: { to: ACCEPTS_ALL, data: call('aggregate3', [[ACCEPTS_ALL, true, call('claim')]]) },
        },
        {
          name: 'foreign code that runs as your Safe',
          told: 'Foreign code takes over an account',
          trick: { to: ACCEPTS_ALL, data: safe(1n, call('claim')) },
          honest: { to: ACCEPTS_ALL, data: safe(0n, call('claim')) },
        },
        {
          name: 'foreign code that runs as your smart account',
          told: 'Foreign code takes over an account',
          trick: {
            to: ACCEPTS_ALL,
            data: ACCOUNT.encodeFunctionData('execute', [
              `0xff${'0'.repeat(62)}`,
              `${THIEF}${call('claim').slice(2)}`,
            ]),
          },
          honest: {
            to: ACCEPTS_ALL,
            data: ACCOUNT.encodeFunctionData('execute', [
              ZeroHash,
              `${ACCEPTS_ALL}${'0'.repeat(64)}${call('claim').slice(2)}`,
            ]),
          },
        },
        {
          name: 'coins for a promise',
          told: 'You pay, and nothing comes back',
          trick: { to: ACCEPTS_ALL, data: call('claim'), value: parseEther('3') },
          honest: { to: ACCEPTS_ALL, data: call('claim') },
        },
      ];
    }

    /** Everything that an attempt could steal. */
    async function held(): Promise<string> {
      const { chain } = world;
      const { abi } = artifact('ERC20PresetFixedSupply');
      const token = new Contract(DUSD(), abi, chain);
      const nft = new Contract(NFT(), artifact('ERC721PresetMinterPauserAutoId').abi, chain);
      const { address } = wallet;
      const facts = await Promise.all([
        chain.getBalance(address),
        chain.getTransactionCount(address, 'pending'),
        token.getFunction('balanceOf')(address),
        token.getFunction('allowance')(address, THIEF),
        nft.getFunction('getApproved')(ticket),
        nft.getFunction('ownerOf')(ticket),
        positions.getFunction('isApprovedForAll')(address, THIEF),
        owned.getFunction('owner')(),
      ]);
      return facts.join();
    }

    const ask = ({ to, data, value = 0n }: Body): Promise<WalletView> =>
      visitor.ask((connect, params) => connect.execute(params as never), {
        type: 'ETH_TRANSACTION',
        walletId: wallet.id,
        to,
        data,
        value: value.toString(),
      });
    const tick = (view: WalletView) => view.root.getByRole('checkbox', { name: /^I understand the risk/ });

    /** A window runs the same code: a few cases are enough there. */
    const names = [
      'a function that nobody knows',
      'an approval for all inside a multicall',
      'coins for a promise',
    ];
    const all = [
      ...names,
      'a known call with bytes after its end',
      'an approval for all inside a multicall inside a multicall',
      'a multicall with one call in it that cannot be read',
      'an allowance that grows without end',
      'a limit of all that is held',
      'a limit for a person',
      'an approval of an item that looks like a limit of its number',
      'the ownership of a contract',
      'all of a token by DAI’s permit, with a signature given before',
      'all of a token by Permit2',
      'a permit among the commands of a router',
      'a router’s command that nobody knows',
      'an order that takes tokens and gives nothing',
      'your tokens in a batch that somebody else’s contract sends',
      'foreign code that runs as your Safe',
      'foreign code that runs as your smart account',
    ];
    for (const name of where === 'iframe' ? all : names)
      (name === names[0] ? core : variant)(
        `${name}: it is told, and without a tick nothing is signed`,
        async () => {
          const { told, trick, honest } = attempts.find((attempt) => attempt.name === name)!;
          await unchanged(held, async () => {
            const view = await ask(trick);
            await view.text(told).first().waitFor();
            await tick(view).first().waitFor();
            assert.equal(await tick(view).first().isChecked(), false);
            // Try to type the PIN and press Approve anyway.
            const pin = view.box('PIN');
            if ((await pin.count()) && (await pin.isEditable())) await view.type('PIN', PIN);
            await view.button('Approve').click({ force: true });
            await view.text(told).first().waitFor();
            await view.press('Reject');
            assert.equal((await visitor.answer()).error?.code, 'user.rejected');
          });

          await visitor.startAgain();
          const control = await ask(honest);
          await control.heading(/./).first().waitFor();
          await control.seeAll();
          await control.approve();
          const { value, error } = await visitor.answer<TransactionResult>();
          assert.equal(error, undefined);
          assert.equal((await world.receipt(value!.transactionHash)).status, 1);
        },
      );
  });
