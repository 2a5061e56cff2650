import { expect } from '@open-wc/testing';
import {
  ConnectError,
  fromWire,
  RequestInvalidError,
  toWire,
  UserRejectedError,
} from '../../../src/base/errors.ts';

describe('errors', () => {
  it('cross the channel with their code, message and details', () => {
    const sent = new RequestInvalidError([{ path: 'to', message: 'not an address' }]);
    const got = fromWire(JSON.parse(JSON.stringify(toWire(sent))));
    expect(got).to.be.instanceOf(RequestInvalidError);
    expect((got as RequestInvalidError).issues).to.deep.equal([{ path: 'to', message: 'not an address' }]);
    expect(fromWire(toWire(new UserRejectedError()))).to.be.instanceOf(UserRejectedError);
  });

  it('that are unexpected reveal nothing internal', () => {
    expect(toWire(new TypeError('secret 1234')).message).not.to.contain('1234');
    expect(fromWire(toWire(new TypeError('x'))).code).to.equal('internal.error');
  });

  it('say where the documentation has more, on the web and in the package', () => {
    const { docsPath, docsUrl } = new ConnectError('frame.blocked', 'x');
    expect(docsPath).to.equal('docs/errors.md#frameblocked');
    expect(docsUrl).to.equal('https://unpkg.com/carabiner/docs/errors.md#frameblocked');
  });
});
