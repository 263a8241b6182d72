import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { MePatch } from '../../src/contract/me.ts'
import { changeMe, meQuery } from '../api/me.ts'
import { seeingNow } from '../api/seeing.ts'
import { setPreferences } from '../preferences.ts'
import { useFailureToast } from '../ui/toasts.tsx'

/** Takes a language or theme here at once, and into the account. */
export function useKeepPreference(): (change: Pick<MePatch, 'language' | 'theme'>) => void {
  const client = useQueryClient()
  const mutation = useMutation({
    mutationFn: changeMe,
    onSuccess: (me) => client.setQueryData(meQuery.queryKey, me),
    onError: useFailureToast(),
  })
  return (change) => {
    const { language, theme } = change
    setPreferences({
      ...(language === undefined || language === null ? {} : { language }),
      ...(theme === undefined ? {} : { theme }),
    })
    // An admin who sees another account changes this browser alone.
    if (seeingNow() === null) mutation.mutate(change)
  }
}
