/** Reads errors of the other side. Separate from `errors.ts`, because the frame needs none before its first view. */
import {
  ConnectError,
  FrameUnreachableError,
  type Issue,
  RequestInvalidError,
  UserRejectedError,
  type WireError,
} from './errors.ts';

export function fromWire({ code, message, details }: WireError): ConnectError {
  switch (code) {
    case 'request.invalid':
      return new RequestInvalidError((details?.['issues'] as Issue[]) ?? [{ path: '', message }]);
    case 'user.rejected':
      return new UserRejectedError(message, details);
    case 'frame.unreachable':
      return new FrameUnreachableError(message, details);
    default:
      return new ConnectError(code, message, details);
  }
}
