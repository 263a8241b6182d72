import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { methodsQuery, signInOptionsQuery, startOidc, unlinkOidc } from '../../api/sign-in.ts'
import { useTexts } from '../../dictionaries/texts.ts'
import { useFormat } from '../../format/use-format.ts'
import { useGuarded } from '../../shell/identity-guard.tsx'
import { Button } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Section } from '../../ui/section.tsx'
import { useToast } from '../../ui/toasts.tsx'

/** The other service that may sign one in; absent where the installation has none. */
export function OidcSection(): ReactNode {
  const t = useTexts('account').oidc
  const format = useFormat()
  const guarded = useGuarded()
  const toast = useToast()
  const client = useQueryClient()
  const { data: options } = useQuery(signInOptionsQuery)
  const { data: methods } = useQuery(methodsQuery)
  const link = useMutation({
    mutationFn: () => guarded(() => startOidc({ purpose: 'link', return_to: '/console/account?section=security' })),
    onSuccess: ({ url }) => location.assign(url),
  })
  const unlink = useMutation({
    mutationFn: () => guarded(unlinkOidc),
    onSuccess: (changed) => {
      client.setQueryData(methodsQuery.queryKey, changed)
      toast({ text: t.unlinked })
    },
  })
  if (options?.oidc == null || methods === undefined) return null
  const failed = link.error ?? unlink.error
  return (
    <Section
      title={t.title(options.oidc.name)}
      lead={methods.oidc === null ? t.notLinked : t.linked(format.date(methods.oidc.linked_at))}
      actions={
        methods.oidc === null ? (
          <Button icon="external" isBusy={link.isPending || link.isSuccess} onClick={() => link.mutate()}>
            {t.link}
          </Button>
        ) : (
          <Button isBusy={unlink.isPending} onClick={() => unlink.mutate()}>
            {t.unlink}
          </Button>
        )
      }
    >
      {failed === null ? undefined : <ErrorState error={failed} />}
    </Section>
  )
}
