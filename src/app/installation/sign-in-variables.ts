import { onOrOff, text, url, variable } from './variable.ts'

/** Sign-in by an OIDC provider. */
export const SIGN_IN_VARIABLES = {
  issuer: variable({
    name: 'TOLLGATE_OIDC_ISSUER',
    meaning: 'an OIDC provider that people may sign in by; its redirect URI is /api/auth/callback/oidc here',
    ifUnset: 'none',
    takes: 'the issuer, a URL such as https://login.example.com, without /.well-known',
    more: 'See [sign-in](accounts.md#sign-in)',
    isSecret: false,
    value: url('http:', 'https:'),
    unset: null,
  }),
  clientId: variable({
    name: 'TOLLGATE_OIDC_CLIENT_ID',
    meaning: 'the id of this gateway at the OIDC provider; required with TOLLGATE_OIDC_ISSUER',
    ifUnset: 'none',
    takes: 'the client id that the provider gave',
    isSecret: false,
    value: text(500),
    unset: null,
  }),
  clientSecret: variable({
    name: 'TOLLGATE_OIDC_CLIENT_SECRET',
    meaning: 'its secret at the OIDC provider; required with TOLLGATE_OIDC_ISSUER',
    ifUnset: 'none',
    takes: 'the client secret that the provider gave',
    isSecret: true,
    value: text(4096),
    unset: null,
  }),
  name: variable({
    name: 'TOLLGATE_OIDC_NAME',
    meaning: 'what the console calls the OIDC provider: Sign in with …',
    ifUnset: 'the host of TOLLGATE_OIDC_ISSUER',
    takes: 'a name of at most 50 characters',
    isSecret: false,
    value: text(50),
    unset: null,
  }),
  trustsEmail: variable({
    name: 'TOLLGATE_OIDC_TRUST_EMAIL',
    meaning:
      'whether every email address that the OIDC provider names counts as verified, where it says nothing of that or says false',
    ifUnset: '0',
    takes: '1 or 0',
    more: 'Only for a provider whose addresses people cannot choose themselves. See [sign-in](accounts.md#sign-in)',
    isSecret: false,
    value: onOrOff(),
    unset: false,
  }),
} as const
