import { type Manner, without } from './oidc-manners.ts'

const TENANT = '9188040d-6c67-4c5b-b112-36a304b66dad'
const BOTH = ['client_secret_basic', 'client_secret_post']

/** Whether a provider calls the address of the person verified, by itself. */
type Proof = 'verified' | 'unsaid' | 'denied'

export interface Profile extends Manner {
  readonly proof: Proof
}

/** The manners of the providers that people have, as their documentation and descriptions show them. */
export const PROFILES: Readonly<Record<string, Profile>> = {
  Keycloak: {
    proof: 'verified',
    issuerPath: '/realms/main',
    namesIssuer: true,
    clientRefusal: { status: 401, error: 'unauthorized_client' },
    description: {
      token_endpoint_auth_methods_supported: ['private_key_jwt', ...BOTH, 'tls_client_auth', 'client_secret_jwt'],
      claims_supported: ['aud', 'sub', 'iss', 'auth_time', 'name', 'preferred_username', 'email', 'acr'],
      id_token_signing_alg_values_supported: ['PS384', 'RS384', 'EdDSA', 'ES384', 'HS256', 'HS512', 'ES256', 'RS256'],
    },
    // Its set has keys that encrypt.
    keys: (key) => [{ ...key, kid: 'encrypts', use: 'enc', alg: 'RSA-OAEP', x5c: ['MIIC'] }, key],
    idToken: ({ email, name }, { clientId }) => ({ email, email_verified: true, name, azp: clientId, typ: 'ID' }),
  },
  // from: achtungsoftware/alarik#14, Freika/dawarich#2925
  Authentik: {
    proof: 'denied',
    issuerPath: '/application/o/tollgate/',
    takes: 'client_secret_post',
    description: { token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'] },
    idToken: ({ email, name }) => ({
      email,
      email_verified: false,
      name,
      acr: 'goauthentik.io/providers/oauth2/default',
    }),
    userInfo: ({ sub, email, name }) => ({ sub, email, email_verified: false, name, groups: [] }),
  },
  // from: nextcloud/user_oidc#981
  Authelia: {
    proof: 'verified',
    namesIssuer: true,
    description: {
      token_endpoint_auth_methods_supported: [...BOTH, 'client_secret_jwt', 'private_key_jwt', 'none'],
    },
    // Claims about a person come by the other endpoint alone.
    idToken: ({ sub }, { clientId }) => ({ sub, aud: [clientId], azp: clientId, amr: ['pwd'] }),
    userInfo: ({ sub, email, name }) => ({ sub, email, email_verified: true, name }),
  },
  // from: open-mercato/open-mercato#2026, onyx-dot-app/onyx#13298
  'Entra ID': {
    proof: 'unsaid',
    issuerPath: `/${TENANT}/v2.0`,
    takes: 'client_secret_post',
    description: {
      token_endpoint_auth_methods_supported: ['client_secret_post', 'private_key_jwt', 'client_secret_basic'],
      claims_supported: [
        'sub',
        'iss',
        'cloud_instance_name',
        'aud',
        'exp',
        'iat',
        'nonce',
        'preferred_username',
        'name',
        'tid',
        'ver',
        'email',
      ],
    },
    keys: (key, issuer) => {
      const own = { ...without(key, 'alg'), x5c: ['MIIC'], issuer }
      return [{ ...own, kid: 'other', x5t: 'other' }, own]
    },
    idToken: ({ email, name }, { nowS }) => ({
      email,
      name,
      preferred_username: 'ada@corp.example',
      oid: 'b7',
      tid: TENANT,
      ver: '2.0',
      nbf: nowS,
    }),
    userInfo: ({ sub, name, email }) => ({ sub, name, email, picture: 'https://graph.example/photo' }),
  },
  Google: {
    proof: 'verified',
    tokenIssuer: (issuer) => issuer.replace('http://', ''),
    description: { token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'] },
    keys: (key) => [{ ...key, kid: 'next', n: `${key.n?.slice(0, -4)}AAAA` }, key],
    idToken: ({ email, name }, { clientId }) => ({ email, email_verified: true, name, azp: clientId, at_hash: 'x' }),
  },
  // A client is registered for one way of those that all of them may have.
  Okta: {
    proof: 'verified',
    issuerPath: '/oauth2/default',
    takes: 'client_secret_post',
    namesIssuer: true,
    description: {
      token_endpoint_auth_methods_supported: [...BOTH, 'client_secret_jwt', 'private_key_jwt', 'none'],
      scopes_supported: ['openid', 'profile', 'email', 'address', 'phone', 'offline_access', 'device_sso'],
    },
    idToken: ({ name }) => ({ name, ver: 1, amr: ['pwd'], idp: '00o1', preferred_username: 'ada' }),
    userInfo: ({ sub, email, name }) => ({ sub, email, email_verified: true, name, zoneinfo: 'America/Los_Angeles' }),
  },
  Zitadel: {
    proof: 'verified',
    description: { token_endpoint_auth_methods_supported: ['none', ...BOTH, 'private_key_jwt'] },
    // Every client of the project is an audience.
    idToken: ({ sub }, { clientId }) => ({ sub, aud: ['other@project', clientId, '2431'], azp: clientId }),
    userInfo: ({ sub, email, name }) => ({ sub, email, email_verified: true, name }),
  },
  Kanidm: {
    proof: 'verified',
    issuerPath: '/oauth2/openid/tollgate',
    alg: 'ES256',
    namesIssuer: true,
    description: { token_endpoint_auth_methods_supported: BOTH, id_token_signing_alg_values_supported: ['ES256'] },
    idToken: ({ email, name }, { nowS }) => ({
      email,
      email_verified: true,
      name,
      nbf: nowS,
      preferred_username: 'ada@idm',
    }),
  },
  GitLab: {
    proof: 'verified',
    description: {
      token_endpoint_auth_methods_supported: BOTH,
      scopes_supported: ['api', 'read_user', 'openid', 'profile', 'email'],
    },
    idToken: ({ email, name }) => ({ email, email_verified: true, name, sub_legacy: 'x', groups_direct: ['a'] }),
    userInfo: ({ sub, email, name }) => ({ sub, email, email_verified: true, name, groups: ['a'] }),
  },
  Dex: {
    proof: 'verified',
    issuerPath: '/dex',
    description: {
      token_endpoint_auth_methods_supported: BOTH,
      claims_supported: ['iss', 'sub', 'aud', 'iat', 'exp', 'email', 'email_verified', 'locale', 'name', 'at_hash'],
    },
    idToken: ({ email, name }) => ({ email, email_verified: true, name, at_hash: 'x' }),
  },
}
