export { evmDraftFields as draftFields } from '../evm/evm-draft-fields.ts';
