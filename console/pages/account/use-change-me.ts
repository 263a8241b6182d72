import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Me, MePatch } from '../../../src/contract/me.ts'
import { changeMe, meQuery } from '../../api/me.ts'
import { useProblemText } from '../../dictionaries/problem-text.ts'
import { useSharedTexts } from '../../dictionaries/texts.ts'
import { useToast } from '../../ui/toasts.tsx'

/** Changes something of the own account at once, and says so; what goes wrong is said too, so `change` never rejects. */
export function useChangeMe(): { change(patch: MePatch): Promise<unknown>; readonly isPending: boolean } {
  const client = useQueryClient()
  const toast = useToast()
  const shared = useSharedTexts()
  const problemText = useProblemText()
  const mutation = useMutation({
    mutationFn: changeMe,
    // What was chosen is shown as chosen from the first moment.
    onMutate: (patch) => {
      const before = client.getQueryData<Me>(meQuery.queryKey)
      if (before !== undefined) client.setQueryData(meQuery.queryKey, shownWith(before, patch))
      return before
    },
    onSuccess: (me) => {
      client.setQueryData(meQuery.queryKey, me)
      toast({ text: shared.saved })
    },
    onError: (error, _patch, before) => {
      if (before !== undefined) client.setQueryData(meQuery.queryKey, before)
      toast({ text: problemText(error), tone: 'bad' })
    },
  })
  return { change: (patch) => mutation.mutateAsync(patch).catch(() => null), isPending: mutation.isPending }
}

function shownWith(me: Me, { notifications, ...patch }: MePatch): Me {
  return { ...me, ...withoutUndefined(patch), notifications: { ...me.notifications, ...notifications } }
}

function withoutUndefined<Patch extends object>(
  patch: Patch,
): { [Name in keyof Patch]: Exclude<Patch[Name], undefined> } {
  return Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Patch]: Exclude<Patch[Name], undefined>
  }
}
