import { COUNTED_LIMITS } from '../../core/counted-limits.ts'
import type { Flag } from './command.ts'

type Flags = Readonly<Record<string, Flag>>

/** The flags for a key's settings. Each is named as the field that it sets, with dashes. */
export const SETTING_FLAGS: Flags = {
  name: { value: 'TEXT', meaning: 'the name of the key', isRequired: true },
  group: { value: 'NAME', meaning: 'the group it belongs to', isRequired: true },
  'fallback-groups': { value: 'A,B', meaning: 'groups used when the first cannot serve the model', isList: true },
  'quota-limit': { value: 'USD', meaning: 'how much the key may spend; default: unlimited' },
  'quota-reset': { value: 'never|daily|weekly|monthly', meaning: 'when the quota resets; default: never' },
  'expires-at': {
    value: 'TIME|30d',
    meaning: 'an RFC 3339 time, or days, hours or minutes from now (30d, 12h, 45m)',
  },
  'allowed-models': { value: 'A,B', meaning: 'models it may call; default: all of the group', isList: true },
  'response-cache': {
    value: 'group|key|off',
    meaning: 'which kept answers it gets: as its group says, its own alone, or none; default: group',
  },
  tags: { value: 'A,B', meaning: 'tags by which its usage is summed', isList: true },
  'allowed-ips': { value: 'A,B', meaning: 'IP addresses and CIDR ranges it may be used from', isList: true },
}

/** The flags that together make the field `rate_limit`. */
export const LIMIT_FLAGS: Flags = {
  ...Object.fromEntries(
    Object.values(COUNTED_LIMITS).map(({ field, meaning }) => [flagOf(field), { value: 'N', meaning }]),
  ),
  spend: {
    value: 'WINDOW=USD',
    meaning: 'a cap for a window of 5h, 1d or 7d, such as 5h=5; may be repeated',
    isList: true,
  },
}

export function flagOf(field: string): string {
  return field.replaceAll('_', '-')
}
