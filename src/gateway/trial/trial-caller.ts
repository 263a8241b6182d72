import type { KeyWithOwner } from '../../access/api-key.ts'
import type { Group } from '../../access/group.ts'
import { UNSET } from '../../access/key-settings.ts'
import type { PartsPerMillion } from '../../core/money.ts'
import { BadCredentialThrottle } from '../callers/bad-credentials.ts'
import type { CallerFinder } from '../callers/caller.ts'
import type { GatewayParts } from '../parts.ts'

/** Who sends the requests by which upstreams are tested: of no account, and by no key that is stored. */
const NAME = 'upstream test'
const TRIAL_IDS = {
  account: 'acc_upstream_test',
  key: 'key_upstream_test',
  group: 'grp_upstream_test',
} as const

/** What stands where a client's key does. It opens nothing. */
export const TRIAL_CREDENTIAL = 'upstream-test'

/** The group of trials sells for nothing, so that nothing is held and no account is charged. */
export const TRIAL_GROUP: Group = {
  id: TRIAL_IDS.group,
  name: NAME,
  multiplier: 0n as PartsPerMillion,
  models: ['*'],
  isEnabled: true,
  isOpen: true,
  isManaged: false,
}

const CALLER: KeyWithOwner = {
  key: {
    id: TRIAL_IDS.key,
    accountId: TRIAL_IDS.account,
    name: NAME,
    groupId: TRIAL_IDS.group,
    fallbackGroupIds: [],
    ...UNSET,
    status: 'active',
    statusChangedAt: 0,
    secretStart: '',
    secretEnd: '',
    overlap: null,
    createdAt: 0,
    isManaged: false,
  },
  account: {
    id: TRIAL_IDS.account,
    email: '',
    role: 'admin',
    status: 'active',
    createdAt: 0,
    isManaged: false,
  },
  subscriptions: [],
}

/** Finds this caller whatever is presented: it reads requests of this process alone, and no one else's. */
export function trialCallers({ clock }: Pick<GatewayParts, 'clock'>): CallerFinder {
  return {
    ring: { find: () => CALLER, load: async () => CALLER, isCurrent: () => true, isReplaced: () => false },
    hashSecret: () => '',
    throttle: new BadCredentialThrottle(clock),
    onPreviousSecret: () => {},
  }
}
