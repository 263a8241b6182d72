import { signatureFault, type SignatureFault, type SignedPurpose } from '../../payments/signature.ts'
import type { ApiCall } from '../api/route.ts'
import { Problem } from '../problem.ts'
import type { ControlParts } from '../parts.ts'
import { readPayments } from './stored-settings.ts'

/** Throws Problem unless the request is signed for this purpose with the secret that shops have. */
export async function requireSigned(
  call: Pick<ApiCall, 'headers' | 'rawBody' | 'nowMs'>,
  purpose: SignedPurpose,
  { store, unseal }: Pick<ControlParts, 'store' | 'unseal'>,
): Promise<void> {
  const { sealedSigningSecret } = await readPayments(store.settings)
  if (sealedSigningSecret === null) {
    throw new Problem('payments_off', 'No secret signs orders here. An admin creates one under Payments.')
  }
  const sent = { headers: call.headers, body: call.rawBody }
  const fault = signatureFault(sent, { purpose, secret: unseal(sealedSigningSecret), nowMs: call.nowMs })
  if (fault !== null) throw new Problem('signature_invalid', `${FAULTS[fault]} See docs/payments.md.`)
}

const FAULTS: Readonly<Record<SignatureFault, string>> = {
  missing: 'The headers x-tollgate-timestamp and x-tollgate-signature are not both there.',
  malformed: 'The timestamp must be whole seconds, and the signature "v1=" and 64 hexadecimal digits.',
  too_old: 'The timestamp is more than five minutes from this server’s time.',
  wrong: 'The signature is not that of this body, for this path, at this timestamp.',
}
