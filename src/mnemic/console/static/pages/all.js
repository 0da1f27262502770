// The pages, in the order of the navigation.

import { chats } from "./chats.js";
import { memory } from "./memory.js";
import { overview } from "./overview.js";
import { search } from "./search.js";

export const PAGES = [overview, search, memory, chats];
