/** PINs, devices and consent of users. */
import * as z from 'zod/mini';
import {
  Account,
  ChangePincode,
  Device,
  DeviceParams,
  EnrolDevice,
  Links,
  LinksQuery,
  Nothing,
  PutLinks,
  RecoverPincode,
  RecoveryCodeAnswer,
  RenewRecoveryCode,
} from './account.ts';
import { PageQuery } from './paging.ts';
import type { Route } from './route.ts';

export const readAccount = {
  method: 'GET',
  path: '/api/account',
  summary: "Read the state of the user's master PIN, and whether this device is enrolled.",
  area: 'PINs and devices',
  scopes: ['view:wallets'],
  proof: 'optional',
  status: 200,
  answer: Account,
} as const satisfies Route;

export const changePincode = {
  method: 'POST',
  path: '/api/pincode',
  summary: "Change the master PIN, or a wallet's own.",
  area: 'PINs and devices',
  scopes: ['sign:wallets', 'whitelabel'],
  proof: 'enrolled',
  passkey: 'required',
  body: ChangePincode,
  status: 200,
  answer: Nothing,
} as const satisfies Route;

export const recoverPincode = {
  method: 'POST',
  path: '/api/pincode/recover',
  summary: 'Set a new PIN with the recovery code, which lifts every lock and is used up.',
  area: 'PINs and devices',
  scopes: ['sign:wallets', 'whitelabel'],
  proof: 'new',
  body: RecoverPincode,
  status: 200,
  answer: RecoveryCodeAnswer,
} as const satisfies Route;

export const renewRecoveryCode = {
  method: 'POST',
  path: '/api/pincode/recovery-code',
  summary: 'Get a new recovery code for a PIN. The previous one no longer works.',
  area: 'PINs and devices',
  scopes: ['sign:wallets', 'whitelabel'],
  proof: 'enrolled',
  passkey: 'required',
  body: RenewRecoveryCode,
  status: 200,
  answer: RecoveryCodeAnswer,
} as const satisfies Route;

export const enrolDevice = {
  method: 'POST',
  path: '/api/devices',
  summary: 'Enrol another device with the master PIN and its recovery code.',
  area: 'PINs and devices',
  scopes: ['sign:wallets'],
  proof: 'new',
  passkey: 'required',
  body: EnrolDevice,
  status: 201,
  answer: Device,
} as const satisfies Route;

export const listDevices = {
  method: 'GET',
  path: '/api/devices',
  summary: 'List the devices that may spend.',
  area: 'PINs and devices',
  scopes: ['sign:wallets'],
  proof: 'enrolled',
  query: PageQuery,
  status: 200,
  answer: z.array(Device),
} as const satisfies Route;

export const removeDevice = {
  method: 'DELETE',
  path: '/api/devices/{thumbprint}',
  summary: 'Remove a device, which may then no longer spend.',
  area: 'PINs and devices',
  scopes: ['sign:wallets'],
  proof: 'enrolled',
  params: DeviceParams,
  status: 200,
  answer: Nothing,
} as const satisfies Route;

export const readLinks = {
  method: 'GET',
  path: '/api/links',
  summary: 'List the wallets that the user has linked to a site.',
  area: 'Links',
  scopes: ['view:wallets'],
  proof: 'enrolled',
  query: LinksQuery,
  status: 200,
  answer: Links,
} as const satisfies Route;

export const putLinks = {
  method: 'PUT',
  path: '/api/links',
  summary: 'Set which wallets a site may see.',
  area: 'Links',
  scopes: ['view:wallets'],
  proof: 'enrolled',
  body: PutLinks,
  status: 200,
  answer: Links,
} as const satisfies Route;
