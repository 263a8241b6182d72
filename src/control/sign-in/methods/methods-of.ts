import { equal } from '../../../access/sign-in-records.ts'
import type { SignInMethods } from '../../../contract/sign-in.ts'
import { isSecureOrigin } from '../authenticator/inner-names.ts'
import { passkeyView } from '../session/session-view.ts'
import type { OwnRequest } from '../sign-in-request.ts'

const PASSKEYS_SHOWN = 50

/** How the account of this session can sign in. */
export async function methodsOf({ parts, signedIn, authenticators, origin }: OwnRequest): Promise<SignInMethods> {
  const { id } = signedIn.account
  const own = await parts.accounts.findOwn(id)
  const mine = { where: equal({ accountId: id }), limit: PASSKEYS_SHOWN }
  const passkeys = await parts.records.select('passkey', mine)
  const [identity] = await parts.records.select('identity', mine)
  const hasSecondFactor = own?.profile.hasSecondFactor ?? false
  const backupCodesLeft = async () => {
    const authenticator = await authenticators.of({ isSecure: isSecureOrigin(origin) })
    return (await authenticator.api.viewBackupCodes({ body: { userId: id } })).backupCodes.length
  }
  return {
    has_password: own?.hasPassword ?? false,
    totp: { is_on: hasSecondFactor, backup_codes_left: hasSecondFactor ? await backupCodesLeft() : null },
    passkeys: passkeys.map((passkey) => ({ ...passkeyView(passkey), is_synced: passkey['isSynced'] === true })),
    oidc: identity === undefined ? null : { linked_at: new Date(Number(identity['createdAt'])).toISOString() },
  }
}
