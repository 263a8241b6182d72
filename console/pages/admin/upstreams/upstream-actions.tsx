import { useNavigate } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import type { UpstreamView } from '../../../../src/contract/upstreams.ts'
import { ADMIN_PATHS } from '../../../admin-pages.ts'
import { deleteUpstream } from '../../../api/upstream-admin.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { useFormat } from '../../../format/use-format.ts'
import { Button } from '../../../ui/button.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { DeleteDialog } from '../kit/delete-dialog.tsx'

const EditUpstream = lazyPart(() => import('./edit-upstream.tsx'))

/** Editing an upstream, and deleting one that no model has a target at. */
export function UpstreamActions({ upstream }: { readonly upstream: UpstreamView }): ReactNode {
  const t = useTexts('upstreams')
  const format = useFormat()
  const navigate = useNavigate()
  const [asked, setAsked] = useState<'edit' | 'delete' | null>(null)
  const isUsed = upstream.models.length > 0
  return (
    <>
      <Button onClick={() => setAsked('edit')}>{t.editing.action}</Button>
      <Button onClick={() => setAsked('delete')}>{t.deleting.action}</Button>
      {asked === 'edit' && <EditUpstream upstream={upstream} onClose={() => setAsked(null)} />}
      {asked === 'delete' && (
        <DeleteDialog
          name={upstream.name}
          texts={t.deleting}
          isBlocked={isUsed}
          send={() => deleteUpstream(upstream.id)}
          onDone={() => navigate({ to: ADMIN_PATHS.upstreams })}
          refreshes={['upstreams', 'attention']}
          onClose={() => setAsked(null)}
        >
          <p>{isUsed ? t.deleting.used(format.list(upstream.models)) : t.deleting.text}</p>
        </DeleteDialog>
      )}
    </>
  )
}
