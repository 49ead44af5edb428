__thread int value = 3; int *get(void) { return &value; }
