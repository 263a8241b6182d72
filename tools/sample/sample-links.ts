import { adminApi, type SampleApi } from './sample-api.ts'
import type { Sample } from './sample.ts'

/** Stand in a path of the console for the secret of a one-time link, and how such a link is made. */
const LINKS: Readonly<Record<string, (world: LinkWorld) => Promise<string>>> = {
  'SET-UP': async ({ sample }) => sample.setUpToken,
  INVITATION: async ({ admin }) =>
    tokenOf((await admin.ask<{ url: string }>('POST', '/api/invitations', { email: 'grace@example.test' })).url),
  RESET: async ({ admin, sample }) =>
    tokenOf((await admin.ask<{ url: string }>('POST', `/api/accounts/${sample.accountId}/reset-link`)).url),
}

/** Stand in a path for the ID of the sample's first object of the kind: `/keys/KEY`, `/admin/models/MODEL`. */
const IDS: Readonly<Record<string, (world: LinkWorld) => Promise<string>>> = {
  KEY: ({ admin, sample }) => firstId(admin, `/api/keys?account_id=${sample.accountId}&search=laptop`),
  ACCOUNT: async ({ sample }) => sample.accountId,
  MODEL: ({ admin }) => firstId(admin, '/api/models'),
  UPSTREAM: ({ admin }) => firstId(admin, '/api/upstreams?limit=1'),
}

async function firstId(admin: SampleApi, list: string): Promise<string> {
  const { data } = await admin.ask<{ data: readonly { id: string }[] }>('GET', list)
  const [first] = data
  if (first === undefined) throw new Error(`the sample has nothing at ${list}`)
  return first.id
}

interface LinkWorld {
  readonly sample: Sample
  readonly admin: SampleApi
}

/** The path with IDs, and with a fresh link's secret where it names one: `/invitation#INVITATION`. */
export async function pathWithLink(
  path: string,
  at: { readonly origin: string; readonly sample: Sample },
): Promise<string> {
  const world = { sample: at.sample, admin: adminApi(at.origin) }
  const [page = '', name] = path.split('#')
  const parts = await Promise.all(page.split('/').map(async (part) => (await IDS[part]?.(world)) ?? part))
  if (name === undefined) return parts.join('/')
  // A link of one's own, such as one that is not valid.
  if (name.includes('=')) return `${parts.join('/')}#${name}`
  const make = LINKS[name]
  if (make === undefined) throw new Error(`there is no link ${name}: it is one of ${Object.keys(LINKS).join(', ')}`)
  return `${parts.join('/')}#${await make(world)}`
}

function tokenOf(url: string): string {
  return url.split('#')[1] ?? ''
}
