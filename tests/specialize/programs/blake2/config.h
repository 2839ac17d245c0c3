/* Made by a build; nothing of it is needed. */
