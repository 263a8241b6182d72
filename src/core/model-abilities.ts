/** What a chat model may take beside text: pictures, sound, and tools that it calls. */
export const MODEL_ABILITIES = ['images', 'audio', 'tools'] as const

export type ModelAbility = (typeof MODEL_ABILITIES)[number]
