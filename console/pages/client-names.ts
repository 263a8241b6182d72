import { useCallback } from 'react'
import { MESSAGE_CLIENT } from '../api/key-messages.ts'
import { useSharedTexts } from '../dictionaries/texts.ts'
import { clientName } from '../format/client-name.ts'

/** What a calling program is called in lists: by its name, or as a test message of the console. null: it said nothing. */
export function useClientNames(): (client: string | null) => string | null {
  const { testMessage } = useSharedTexts()
  return useCallback(
    (client) => (client === null ? null : client === MESSAGE_CLIENT ? testMessage : clientName(client)),
    [testMessage],
  )
}
