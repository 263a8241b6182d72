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

interface LinkWorld {
  readonly sample: Sample
  readonly admin: SampleApi
}

/** The path with a fresh link's secret where it names one: `/invitation#INVITATION`. */
export async function pathWithLink(
  path: string,
  at: { readonly origin: string; readonly sample: Sample },
): Promise<string> {
  const [page = '', name] = path.split('#')
  if (name === undefined) return path
  const make = LINKS[name]
  if (make === undefined) throw new Error(`there is no link ${name}: it is one of ${Object.keys(LINKS).join(', ')}`)
  return `${page}#${await make({ sample: at.sample, admin: adminApi(at.origin) })}`
}

function tokenOf(url: string): string {
  return url.split('#')[1] ?? ''
}
