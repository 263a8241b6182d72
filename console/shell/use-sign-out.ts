import { useMutation } from '@tanstack/react-query'
import { deleteLeftKeys } from '../api/playground-key.ts'
import { forgetSeeing } from '../api/seeing.ts'
import { signOut } from '../api/sign-in.ts'
import { forgetCode } from '../forms/kept-code.ts'
import { forgetDrafts } from '../forms/kept-drafts.ts'
import { useFailureToast } from '../ui/toasts.tsx'
import { atSite } from '../site.ts'

/** Ends the session and leaves nothing of it in memory: the page is loaded anew. */
export function useSignOut(): () => void {
  const mutation = useMutation({
    mutationFn: async () => {
      forgetSeeing()
      forgetDrafts()
      forgetCode()
      // What the playground made ends with the session, wherever it was open.
      await deleteLeftKeys().catch(() => undefined)
      await signOut()
    },
    onSuccess: () => location.assign(atSite('/console/sign-in')),
    onError: useFailureToast(),
  })
  return () => mutation.mutate()
}
