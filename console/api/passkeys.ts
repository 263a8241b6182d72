import type { SignInAnswer, SignInMethods } from '../../src/contract/sign-in.ts'
import { apiPath, post, remove } from './request.ts'

/** Whether this browser, at this address, can use passkeys. Browsers hide the interface on plain http. */
export function canUsePasskeys(): boolean {
  return typeof PublicKeyCredential === 'function' && 'parseRequestOptionsFromJSON' in PublicKeyCredential
}

/** Signs in with a passkey of the browser's choice. Rejects with a DOMException when the reader declines. */
export async function signInWithPasskey(): Promise<SignInAnswer> {
  const credential = await showPasskey()
  return post('/api/auth/passkeys/sign-in/finish', { credential })
}

/** Has the browser show a passkey; what it shows is for `confirm` or for signing in. */
export async function showPasskey(): Promise<Record<string, unknown>> {
  const options = await post<PublicKeyCredentialRequestOptionsJSON>('/api/auth/passkeys/sign-in/start', {})
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
  return jsonOf(await navigator.credentials.get({ publicKey }))
}

/** What the server wants of a new passkey; protected, so that it may ask who is there. */
export const startPasskey = () => post<PublicKeyCredentialCreationOptionsJSON>('/api/auth/passkeys/register/start', {})

/** Has the browser make a passkey, and hands it in under `name`. */
export async function makePasskey(
  options: PublicKeyCredentialCreationOptionsJSON,
  name: string,
): Promise<SignInMethods> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
  const credential = jsonOf(await navigator.credentials.create({ publicKey }))
  return post('/api/auth/passkeys/register/finish', { name, credential })
}

export const deletePasskey = (id: string) => remove<SignInMethods>(apiPath`/api/auth/passkeys/${id}`)

/** Whether it failed because the reader closed the browser's window, which needs no word. */
export function isDeclined(error: unknown): boolean {
  return error instanceof DOMException && (error.name === 'NotAllowedError' || error.name === 'AbortError')
}

function jsonOf(credential: Credential | null): Record<string, unknown> {
  if (!(credential instanceof PublicKeyCredential)) throw new DOMException('no passkey', 'NotAllowedError')
  return { ...credential.toJSON() }
}
