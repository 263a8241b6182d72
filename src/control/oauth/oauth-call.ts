import type { ApiCall } from '../api/route.ts'
import type { DeviceTerms } from '../../core/device-limits.ts'
import type { Credentials } from '../who/authenticate.ts'

/** One request of a program that signs in, or stays signed in. */
export interface OAuthCall extends Pick<ApiCall, 'change' | 'reachNodes'>, Credentials {
  /** The fields of the form; each at most once. */
  readonly form: ReadonlyMap<string, string>
  /** Where the program reached the gateway: what it is answered stays there. */
  readonly askedOrigin: string
  readonly terms: DeviceTerms
}
