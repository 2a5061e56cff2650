/** Reads the only file of a `multipart/form-data` body. */
import type { FastifyRequest } from 'fastify';
import { invalid } from '../../../src/chains/requests/payloads.ts';
import { ConnectError, RequestInvalidError } from '../../../src/base/errors.ts';

export interface Upload {
  file: Buffer;
  filename: string | undefined;
  /** The part's own `Content-Type`. */
  type: string;
}

/** Bytes for the boundaries and headers of the parts. */
const AROUND = 16_384;

/** Throws `request.media-type`, `request.too-large` and `request.invalid`. */
export async function readUpload(request: FastifyRequest, part: string, maxBytes: number): Promise<Upload> {
  if (!request.isMultipart())
    throw new ConnectError('request.media-type', `Send multipart/form-data with a file in the part ${part}.`);
  const tooLarge = new ConnectError('request.too-large', `${part} must have at most ${maxBytes} bytes.`);
  if (Number(request.headers['content-length'] ?? 0) > maxBytes + AROUND) throw tooLarge;
  const late = new Promise<never>((_resolve, reject) => {
    let size = 0;
    // The multipart parser has no limit for what is outside the file.
    request.raw.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBytes + AROUND) reject(tooLarge);
    });
  });
  late.catch(() => {});
  try {
    return await Promise.race([late, onlyFile(request, part, maxBytes)]);
  } catch (error) {
    if (error instanceof ConnectError) throw error;
    const { code } = error as { code?: string };
    if (code === 'FST_REQ_FILE_TOO_LARGE') throw tooLarge;
    if (/^FST_(FILES|FIELDS|PARTS)_LIMIT$/.test(code ?? '')) throw invalid(part, 'must be the only part');
    throw new RequestInvalidError([{ path: '', message: 'The form cannot be read.' }], { cause: error });
  }
}

async function onlyFile(request: FastifyRequest, name: string, maxBytes: number): Promise<Upload> {
  let upload: Upload | undefined;
  const limits = { files: 1, fields: 1, parts: 2, fileSize: maxBytes, fieldSize: 1024, headerPairs: 20 };
  for await (const part of request.parts({ limits })) {
    if (part.fieldname !== name) throw invalid(part.fieldname, 'is not an expected part');
    if (part.type !== 'file') throw invalid(name, 'must be a file');
    // Bytes that are not UTF-8 arrive as it.
    if (part.filename?.includes('\uFFFD')) throw invalid(name, 'has a file name that is not UTF-8');
    upload = { file: await part.toBuffer(), filename: part.filename, type: part.mimetype };
  }
  if (!upload) throw invalid(name, 'is missing');
  return upload;
}
