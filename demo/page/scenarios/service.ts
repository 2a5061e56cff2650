/** What the wallet service adds, on every chain: wallets of the signed-in user, and of the shop itself (white-label). */
import type { ChainScenarios, Context, Group, Payload, Scenario } from './scenario.ts';
import { hex } from './scenario.ts';

/** One of the demo's users. */
const FRIEND = 'ben@demo.example';
const WRONG_PIN = '839206';
const SHOP_PIN = '739154';

export function serviceGroups({ secretType, transfer, sign }: ChainScenarios): Group[] {
  const plain = (context: Context): Payload => transfer[0]!.payload(context);
  const signature = sign[0]?.payload({} as Context);
  const own = (context: Context, more: object): Payload => {
    const { to, value } = plain(context);
    return { action: 'whiteLabel', secretType, pincode: SHOP_PIN, to, value, ...more };
  };
  const signing: Scenario[] = signature
    ? [
        {
          id: 'white-label-signature',
          title: 'Shop signs',
          hint: 'Text, signed by the shop’s server with the wallet’s PIN.',
          holder: 'shop',
          payload: () => ({
            action: 'whiteLabel',
            secretType,
            pincode: SHOP_PIN,
            sign: { type: signature['type'], data: hex('Sign in to the demo\nNonce 4711') },
          }),
        },
      ]
    : [];
  return [
    {
      title: 'Service wallets',
      scenarios: [
        {
          id: 'service-wallet',
          title: 'New service wallet',
          hint: 'Sign in first. The wallet then offers to keep the new wallet at the service instead of in this browser.',
          payload: () => ({ action: 'manageWallets', chain: secretType }),
        },
        {
          id: 'service-link',
          title: 'Link both kinds',
          hint: 'Signed in: service wallets stand beside those of this browser.',
          payload: () => ({ action: 'linkWallets', layout: 'list', secretTypes: [secretType] }),
        },
        {
          id: 'email-recipient',
          title: 'E-mail recipient',
          hint: `Sign in as Ben once and make a service wallet. ${FRIEND} then stands for its address, which the approval shows in full.`,
          payload: (context) => ({ ...plain(context), to: FRIEND }),
        },
        {
          id: 'wrong-pin',
          title: 'Wrong PIN',
          hint: 'Type a wrong PIN, with a wallet of this browser and with one of the service: each says how many tries are left.',
          payload: plain,
        },
        {
          id: 'profile',
          title: 'Profile',
          hint: 'Who signed in, as the service knows them.',
          payload: () => ({ action: 'profile' }),
        },
      ],
    },
    {
      title: 'White-label',
      scenarios: [
        {
          id: 'white-label',
          title: 'White-label wallet',
          hint: 'A wallet of the shop itself. The page asks the shop’s server, which alone has the client secret.',
          holder: 'shop',
          payload: (context) => own(context, { alias: 'Till' }),
        },
        {
          id: 'white-label-wrong-pin',
          title: 'Shop, wrong PIN',
          hint: 'Refused with pincode.wrong and the tries that are left. The fifth locks the wallet for 15 minutes.',
          holder: 'shop',
          payload: (context) => own(context, { pincode: WRONG_PIN }),
        },
        {
          id: 'white-label-email',
          title: 'Shop pays an e-mail',
          hint: `${FRIEND} stands for the wallet of a user of the service, or is recipient.unknown.`,
          holder: 'shop',
          payload: (context) => own(context, { to: FRIEND }),
        },
        ...signing,
      ],
    },
  ];
}
