export { checkUtxoDraft as checkDraft, utxoDraftFields as draftFields } from '../utxo/utxo-draft-fields.ts';
