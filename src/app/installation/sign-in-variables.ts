import { onOrOff, text, url, variable } from './variable.ts'

/** Sign-in by an OIDC provider. */
export const SIGN_IN_VARIABLES = {
  issuer: variable({
    name: 'TOLLGATE_OIDC_ISSUER',
    meaning: 'an OIDC provider that people may sign in by; its redirect URI is /api/auth/callback/oidc here',
    takes: 'the issuer, a URL such as https://login.example.com, without /.well-known',
    more: 'See [sign-in](accounts.md#sign-in)',
    value: url('http:', 'https:'),
  }),
  clientId: variable({
    name: 'TOLLGATE_OIDC_CLIENT_ID',
    meaning: 'the id of this gateway at the OIDC provider; required with TOLLGATE_OIDC_ISSUER',
    takes: 'the client id that the provider gave',
    value: text(500),
  }),
  clientSecret: variable({
    name: 'TOLLGATE_OIDC_CLIENT_SECRET',
    meaning: 'its secret at the OIDC provider; required with TOLLGATE_OIDC_ISSUER',
    takes: 'the client secret that the provider gave',
    isSecret: true,
    value: text(4096),
  }),
  name: variable({
    name: 'TOLLGATE_OIDC_NAME',
    meaning: 'what the console calls the OIDC provider: Sign in with …',
    ifUnset: 'the host of TOLLGATE_OIDC_ISSUER',
    takes: 'a name of at most 50 characters',
    value: text(50),
  }),
  trustsEmail: variable({
    name: 'TOLLGATE_OIDC_TRUST_EMAIL',
    meaning:
      'whether every email address that the OIDC provider names counts as verified, where it says nothing of that or says false',
    ...onOrOff(),
    more: 'Only for a provider whose addresses people cannot choose themselves. See [sign-in](accounts.md#sign-in)',
    unset: false,
  }),
} as const
