import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import type { ApiKeyView, KeysBulk } from '../../../src/contract/keys.ts'
import { changeKeys } from '../../api/keys.ts'
import { useSharedTexts, useTexts } from '../../dictionaries/texts.ts'
import { useFormat } from '../../format/use-format.ts'
import { focusBeside } from '../../table/row-focus.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { useToast } from '../../ui/toasts.tsx'

/** So many names are said in the question; the others are counted. */
const MOST_NAMES = 8

/** What can be done with several keys at once. Those from the file are recognised by the server, and named afterwards. */
export function BulkActions(props: { readonly keys: readonly ApiKeyView[]; onDone(): void }): ReactNode {
  const texts = useTexts('keys')
  const t = texts.confirm
  const shared = useSharedTexts()
  const format = useFormat()
  const { keys } = props
  const toast = useToast()
  const queryClient = useQueryClient()
  const [asked, setAsked] = useState<'disable' | 'delete' | null>(null)
  const change = useMutation({
    mutationFn: (action: KeysBulk['action']) => changeKeys({ ids: keys.map(({ id }) => id), action }),
    onSuccess: ({ done, failed }) => {
      if (done.length > 0) toast({ text: t.bulkDone(done.length) })
      if (failed.length > 0)
        toast({ text: shared.labelled(t.bulkFailed(failed.length), format.list(namesOf(failed, keys))), tone: 'bad' })
      void queryClient.invalidateQueries({ queryKey: ['keys', 'list'] }).then(focusBeside(keys[0]?.id ?? ''))
      setAsked(null)
      props.onDone()
    },
  })
  return (
    <>
      <Button icon="play" isBusy={change.isPending && asked === null} onClick={() => change.mutate('enable')}>
        {texts.enable}
      </Button>
      <Button icon="pause" onClick={() => setAsked('disable')}>
        {texts.disable}
      </Button>
      <Button icon="trash" onClick={() => setAsked('delete')}>
        {texts.delete}
      </Button>
      {asked !== null && (
        <ConfirmDialog
          isOpen
          onClose={() => setAsked(null)}
          isDangerous
          isBusy={change.isPending}
          error={change.error}
          onConfirm={() => change.mutate(asked)}
          title={asked === 'delete' ? t.bulkDeleteTitle(keys.length) : t.bulkDisableTitle(keys.length)}
          action={asked === 'delete' ? t.bulkDeleteAction(keys.length) : t.bulkDisableAction(keys.length)}
        >
          <ul className="mb-2 font-medium text-ink">
            {keys.slice(0, MOST_NAMES).map((key) => (
              <li key={key.id}>{key.name}</li>
            ))}
            {keys.length > MOST_NAMES && <li>{t.andMore(keys.length - MOST_NAMES)}</li>}
          </ul>
          <p>{asked === 'delete' ? t.bulkDeleteText : t.bulkDisableText}</p>
        </ConfirmDialog>
      )}
    </>
  )
}

function namesOf(failed: readonly { readonly id: string }[], keys: readonly ApiKeyView[]): string[] {
  return failed.map(({ id }) => keys.find((key) => key.id === id)?.name ?? id)
}
