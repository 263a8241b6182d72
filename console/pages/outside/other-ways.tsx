import { useMutation, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { canUsePasskeys, isDeclined, signInWithPasskey } from '../../api/passkeys.ts'
import { signInOptionsQuery, startOidc } from '../../api/sign-in.ts'
import { useTexts } from '../../dictionaries/texts.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useReturnPath } from './enter-console.ts'

/** Passkey and single sign-on, as far as they can be used here; where neither can, nothing. */
export function OtherWays({ onAnswer }: { onAnswer(): void }): ReactNode {
  const t = useTexts('outside').signIn
  const { data: options, error, refetch } = useQuery(signInOptionsQuery)
  const passkey = useMutation({ mutationFn: signInWithPasskey, onSuccess: onAnswer })
  const refusal = passkey.error !== null && !isDeclined(passkey.error) ? passkey.error : null
  // What the browser rules out is known before the server has answered, so that nothing moves then.
  const hasPasskeys = isSecureContext && canUsePasskeys() && options?.passkeys.unavailable_because == null
  const oidc = options?.oidc ?? null
  if (options === undefined && error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!hasPasskeys && oidc === null) return null
  return (
    <div className="grid gap-2">
      <OrLine />
      {hasPasskeys &&
        (options === undefined ? (
          <Skeleton className="h-8.5 w-full touch:h-11" />
        ) : (
          <Button icon="passkey" isBusy={passkey.isPending} onClick={() => passkey.mutate()}>
            {t.passkey}
          </Button>
        ))}
      {refusal !== null && <ErrorState error={refusal} />}
      {oidc !== null && <OidcButton name={oidc.name} />}
    </div>
  )
}

/** A new account by single sign-on, below the form for one with a password. */
export function OidcInstead(props: { readonly name: string; readonly invitation?: string }): ReactNode {
  return (
    <div className="grid gap-2">
      <OrLine />
      <OidcButton {...props} />
    </div>
  )
}

function OrLine(): ReactNode {
  const { or } = useTexts('outside').signIn
  return (
    <div className="flex items-center gap-3 text-sm text-ink-3" aria-hidden="true">
      <span className="h-px flex-1 bg-line" />
      {or}
      <span className="h-px flex-1 bg-line" />
    </div>
  )
}

/** Leaves for the provider and comes back signed in. `invitation`: the token of one, for a new account. */
function OidcButton({ name, invitation }: { readonly name: string; readonly invitation?: string }): ReactNode {
  const t = useTexts('outside').signIn
  const path = useReturnPath()
  const start = useMutation({
    mutationFn: () =>
      startOidc({
        purpose: 'sign_in',
        return_to: `/console${path}`,
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
