/** What the name of a model is made of. No star: as the only entry of a group's models it means all of them. */
export const MODEL_NAME = /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}*]+$/u
