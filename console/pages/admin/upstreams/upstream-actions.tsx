import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import type { UpstreamView } from '../../../../src/contract/upstreams.ts'
import { ADMIN_PATHS } from '../../../admin-pages.ts'
import { deleteUpstream } from '../../../api/upstream-admin.ts'
import { upstreamsDictionary } from '../../../dictionaries/upstreams.ts'
import { useFormat } from '../../../format/use-format.ts'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/dialog.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { useToast } from '../../../ui/toasts.tsx'

const EditUpstream = lazyPart(() => import('./edit-upstream.tsx'))

/** Editing an upstream, and deleting one that no model has a target at. */
export function UpstreamActions({ upstream }: { readonly upstream: UpstreamView }): ReactNode {
  const t = upstreamsDictionary.useTexts()
  const format = useFormat()
  const queries = useQueryClient()
  const toast = useToast()
  const navigate = useNavigate()
  const [asked, setAsked] = useState<'edit' | 'delete' | null>(null)
  const remove = useMutation({
    mutationFn: () => deleteUpstream(upstream.id),
    onSuccess: async () => {
      toast({ text: t.deleting.done(upstream.name) })
      await navigate({ to: ADMIN_PATHS.upstreams })
      for (const name of ['upstreams', 'attention']) void queries.invalidateQueries({ queryKey: [name] })
    },
  })
  const isUsed = upstream.models.length > 0
  return (
    <>
      <Button onClick={() => setAsked('edit')}>{t.editing.action}</Button>
      <Button onClick={() => setAsked('delete')}>{t.deleting.action}</Button>
      {asked === 'edit' && <EditUpstream upstream={upstream} onClose={() => setAsked(null)} />}
      <ConfirmDialog
        isOpen={asked === 'delete'}
        title={t.deleting.title(upstream.name)}
        action={t.deleting.action}
        isDangerous
        isBusy={remove.isPending}
        onConfirm={() => {
          if (!isUsed) remove.mutate()
        }}
        onClose={() => setAsked(null)}
      >
        <div className="grid gap-3">
          <p>{isUsed ? t.deleting.used(format.list(upstream.models)) : t.deleting.text}</p>
          {remove.error !== null && <ErrorState error={remove.error} />}
        </div>
      </ConfirmDialog>
    </>
  )
}
