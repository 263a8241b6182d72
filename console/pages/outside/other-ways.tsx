import { useMutation, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { SignInOptions } from '../../../src/contract/sign-in.ts'
import { canUsePasskeys, isDeclined, signInWithPasskey } from '../../api/passkeys.ts'
import { signInOptionsQuery, startOidc } from '../../api/sign-in.ts'
import { outsideDictionary } from '../../dictionaries/outside.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useWishedPath } from './enter-console.ts'

/** Passkey and single sign-on, or why passkeys are unavailable. */
export function OtherWays({ onAnswer }: { onAnswer(): void }): ReactNode {
  const t = outsideDictionary.useTexts().signIn
  const { data: options } = useQuery(signInOptionsQuery)
  const passkey = useMutation({ mutationFn: signInWithPasskey, onSuccess: onAnswer })
  const hint = options === undefined ? undefined : passkeyHint(options, t)
  const refusal = passkey.error !== null && !isDeclined(passkey.error) ? passkey.error : null
  return (
    <div className="grid gap-2">
      <div className="flex items-center gap-3 text-sm text-ink-3" aria-hidden="true">
        <span className="h-px flex-1 bg-line" />
        {t.or}
        <span className="h-px flex-1 bg-line" />
      </div>
      {options === undefined ? (
        <Skeleton className="h-8.5 w-full touch:h-11" />
      ) : hint === undefined ? (
        <Button icon="passkey" isBusy={passkey.isPending} onClick={() => passkey.mutate()}>
          {t.passkey}
        </Button>
      ) : (
        <p className="flex gap-2 text-sm text-ink-3">
          <Icon name="info" className="mt-0.5" />
          {hint}
        </p>
      )}
      {refusal !== null && <ErrorState error={refusal} />}
      {options?.oidc != null && <OidcButton name={options.oidc.name} />}
    </div>
  )
}

/** Leaves for the provider and comes back signed in. `invitation`: the token of one, for a new account. */
export function OidcButton({ name, invitation }: { readonly name: string; readonly invitation?: string }): ReactNode {
  const t = outsideDictionary.useTexts().signIn
  const wish = useWishedPath()
  const start = useMutation({
    mutationFn: () =>
      startOidc({
        purpose: 'sign_in',
        return_to: `/console${wish}`,
        ...(invitation === undefined ? {} : { invitation }),
      }),
    onSuccess: ({ url }) => location.assign(url),
  })
  return (
    <>
      <Button icon="external" isBusy={start.isPending || start.isSuccess} onClick={() => start.mutate()}>
        {t.oidc(name)}
      </Button>
      {start.error !== null && <ErrorState error={start.error} />}
    </>
  )
}

/** Why there is no passkey button, or undefined where there is one. */
function passkeyHint(
  options: SignInOptions,
  t: { passkeysNeedHttps: string; passkeysNeedName: string; passkeysNotInBrowser: string },
): string | undefined {
  if (options.passkeys.impossible_because === 'ip_address') return t.passkeysNeedName
  if (options.passkeys.impossible_because !== null || !isSecureContext) return t.passkeysNeedHttps
  return canUsePasskeys() ? undefined : t.passkeysNotInBrowser
}
