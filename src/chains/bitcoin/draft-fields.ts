export { utxoDraftFields as draftFields } from '../utxo/utxo-draft-fields.ts';
