import { expect } from '@open-wc/testing';
import { failure, MINUTE, PIN, setup, WRONG, type Setup } from './setup.ts';

/** Makes `times` wrong guesses, waiting out every lock. */
async function guess({ vault, clock }: Setup, times: number): Promise<void> {
  for (let i = 0; i < times; i++) {
    const { lockedUntil } = await vault.state();
    if (lockedUntil) clock.setDate(lockedUntil);
    await failure(vault.unlock(WRONG));
  }
}

describe('wrong PINs', () => {
  it('are counted down to the first lock', async () => {
    const { vault } = await setup();
    (await vault.create(PIN)).close();
    for (const attemptsLeft of [4, 3, 2, 1]) {
      const error = await failure(vault.unlock(WRONG));
      expect(error).to.include({ code: 'pincode.wrong' });
      expect(error['details']).to.deep.equal({ attemptsLeft });
    }
    const error = await failure(vault.unlock(WRONG));
    expect(error).to.include({ code: 'pincode.locked' });
    expect(error['details']).to.deep.equal({ retryAfter: 15 * 60 });
  });

  it('lock for 15, 30, 60, 120, 240 minutes, then until the phrase is given', async () => {
    const made = await setup();
    const { vault, clock, runs } = made;
    const unlocked = await vault.create(PIN);
    const phrase = (await vault.phrase(unlocked)).join(' ');
    await guess(made, 4);
    for (const minutes of [15, 30, 60, 120, 240]) {
      expect((await failure(vault.unlock(WRONG)))['details']).to.deep.equal({ retryAfter: minutes * 60 });
      expect((await vault.state()).lockedUntil).to.equal(clock.date() + minutes * MINUTE);
      runs();
      await clock.pass(minutes * MINUTE - 1);
      expect((await failure(vault.unlock(PIN)))['details'], 'the right PIN waits too').to.deep.equal({
        retryAfter: 1,
      });
      expect(runs(), 'nothing is hashed while locked').to.equal(0);
      await clock.pass(1);
      expect((await vault.state()).lockedUntil).to.equal(null);
    }
    const last = await failure(vault.unlock(WRONG));
    expect(last).to.include({ code: 'pincode.locked' });
    expect(last['details']).to.deep.equal({ hard: true });
    await clock.pass(365 * 24 * 60 * MINUTE);
    expect(await failure(vault.unlock(PIN))).to.include({ code: 'pincode.locked' });
    expect(await failure(vault.changePin(PIN, '5555'))).to.include({ code: 'pincode.locked' });
    expect(await vault.state()).to.include({ wrongPins: 10, lockedUntil: Infinity });
    (await vault.restore(phrase, '9753')).close();
    expect(await vault.state()).to.include({ wrongPins: 0, lockedUntil: null });
    (await vault.unlock('9753')).close();
  });

  it('are forgotten after the right one', async () => {
    const made = await setup();
    (await made.vault.create(PIN)).close();
    await guess(made, 6);
    await made.clock.pass(30 * MINUTE);
    (await made.vault.unlock(PIN)).close();
    expect(await made.vault.state()).to.include({ wrongPins: 0, lockedUntil: null });
    expect((await failure(made.vault.unlock(WRONG)))['details']).to.deep.equal({ attemptsLeft: 4 });
  });

  it('stay counted after a reload', async () => {
    const made = await setup();
    (await made.vault.create(PIN)).close();
    await guess(made, 3);
    const later = await made.again();
    expect((await later.state()).wrongPins).to.equal(3);
    expect((await failure(later.unlock(WRONG)))['details']).to.deep.equal({ attemptsLeft: 1 });
    await failure(later.unlock(WRONG));
    expect(await failure((await made.again()).unlock(PIN))).to.include({ code: 'pincode.locked' });
  });

  it('are counted exactly when 20 come at once from two tabs', async () => {
    const { vault, again, runs } = await setup();
    (await vault.create(PIN)).close();
    const other = await again();
    runs();
    const errors = await Promise.all(
      Array.from({ length: 20 }, (_, i) => failure((i % 2 ? vault : other).unlock(WRONG))),
    );
    const codes = errors.map((error) => error['code']);
    expect(codes.filter((code) => code === 'pincode.wrong')).to.have.length(4);
    expect(codes.filter((code) => code === 'pincode.locked')).to.have.length(16);
    expect(runs(), 'guesses that were hashed').to.equal(5);
    expect((await other.state()).wrongPins).to.equal(5);
  });

  it('are counted before the work: ending the tab during it does not give a free guess', async () => {
    const { vault, again } = await setup();
    (await vault.create(PIN)).close();
    let started!: () => void;
    const working = new Promise<void>((resolve) => {
      started = resolve;
    });
    let release!: (error: Error) => void;
    const dying = await again({
      hashPin: () => {
        started();
        return new Promise((_, reject) => {
          release = reject;
        });
      },
    });
    const lost = failure(dying.unlock(WRONG));
    await working;
    expect((await vault.state()).wrongPins).to.equal(1);
    release(new Error('no memory'));
    await lost;
    expect((await vault.state()).wrongPins, 'a PIN that could not be tried is no guess').to.equal(0);
  });

  it('lock no shorter if the clock is set back, before or during the lock', async () => {
    const made = await setup();
    const { vault, clock } = made;
    (await vault.create(PIN)).close();
    const start = clock.date();
    await guess(made, 4);
    clock.setDate(start - 24 * 60 * MINUTE);
    await failure(vault.unlock(WRONG));
    expect((await vault.state()).lockedUntil).to.equal(start + 15 * MINUTE);
    clock.setDate(start + 15 * MINUTE - 1);
    expect(await failure(vault.unlock(PIN))).to.include({ code: 'pincode.locked' });
    clock.setDate(start - MINUTE);
    expect(await failure(vault.unlock(PIN))).to.include({ code: 'pincode.locked' });
    expect((await vault.state()).wrongPins).to.equal(5);
    clock.setDate(start + 15 * MINUTE);
    (await vault.unlock(PIN)).close();
  });

  it('that are malformed do not count', async () => {
    const { vault, runs } = await setup();
    (await vault.create(PIN)).close();
    runs();
    expect(await failure(vault.unlock('12'))).to.include({ code: 'request.invalid' });
    expect((await vault.state()).wrongPins).to.equal(0);
    expect(runs()).to.equal(0);
  });
});
