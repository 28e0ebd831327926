/* Objective-C with ARC on Debian's GNUstep, for tests: what clang's GNUstep 1.9 ABI calls and GCC's libobjc lacks.
 *
 * Classes of that ABI differ in three ways, which are changed before libobjc sees a module: offsets of ivars are counted
 * from the end of the superclass, sizes are negative until then, and a flag has another meaning. Reference counting is
 * sent as messages. Weak references are not cleared. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unwind.h>

typedef struct object* object_t;
typedef const struct selector* selector_t;
typedef object_t (*method_t)(object_t, selector_t, ...);

/* As both compilers lay them out. */
struct variable {
  const char* name;
  const char* type;
  int offset;
};
struct variables {
  int count;
  struct variable list[1];
};
struct protocol {
  size_t version;
  const char* name;
  struct protocols* parents;
};
struct protocols {
  struct protocols* next;
  size_t count;
  struct protocol* list[1];
};
struct class {
  struct class* meta;
  const char* parent; /* its name until it is resolved */
  const char* name;
  long version;
  unsigned long flags;
  long size;
  struct variables* variables;
  void *methods, *dispatch, *children, *siblings;
  struct protocols* protocols;
  void* unused;
  long abi;      /* from here on only clang has it */
  int** offsets; /* where code reads the offsets of variables */
};
struct symbols {
  unsigned long selector_count;
  void* selectors;
  unsigned short class_count, category_count;
  void* definitions[1];
};
struct module {
  unsigned long version, size;
  const char* name;
  struct symbols* symbols;
};
struct super {
  object_t self;
  struct class* class;
};
/* What a lookup of clang's gives: the method is the fifth word. */
struct slot {
  void *owner, *cached, *types;
  int version;
  method_t method;
};

enum { kOldestClang = 9, kNewestClang = 10, kGcc = 8, kProtocolClang = 3, kProtocolGcc = 2, kResolvedFlag = 0x10 };

extern method_t objc_msg_lookup(object_t, selector_t);
extern method_t objc_msg_lookup_super(struct super*, selector_t);
extern object_t objc_getClass(const char*);
extern object_t objc_lookUpClass(const char*);
extern size_t class_getInstanceSize(struct class*);
extern selector_t sel_registerName(const char*);

void* _OBJC_CLASS_NSConstantString; /* constant strings get their class by name when they are loaded */

static void mend_protocols(struct protocols* list) {
  for (; list; list = list->next) {
    for (size_t i = 0; i < list->count; ++i) {
      if (list->list[i]->version != kProtocolClang) continue;
      list->list[i]->version = kProtocolGcc;
      mend_protocols(list->list[i]->parents);
    }
  }
}

static struct class* find_class(const struct symbols* symbols, const char* name) {
  for (int i = 0; i < symbols->class_count; ++i) {
    struct class* candidate = symbols->definitions[i];
    if (strcmp(candidate->name, name) == 0) return candidate;
  }
  return NULL;
}

static void mend_class(const struct symbols* symbols, struct class* class) {
  if (class->size > 0) return; /* done */
  long inherited = 0;
  if (class->parent) {
    struct class* parent = find_class(symbols, class->parent);
    if (parent) {
      mend_class(symbols, parent);
      inherited = parent->size;
    } else {
      parent = (struct class*)objc_lookUpClass(class->parent);
      inherited = parent ? (long)class_getInstanceSize(parent) : (long)sizeof(void*);
    }
  }
  const int count = class->variables ? class->variables->count : 0;
  /* Objects of C++ may need alignment. */
  const long begin = count ? (inherited + 15) / 16 * 16 : inherited;
  for (int i = 0; i < count; ++i) {
    class->variables->list[i].offset += (int)begin;
    if (class->offsets && class->offsets[i]) *class->offsets[i] = class->variables->list[i].offset;
  }
  class->size = begin - class->size;
  class->flags &= ~(unsigned long)kResolvedFlag;
  class->meta->flags &= ~(unsigned long)kResolvedFlag;
  mend_protocols(class->protocols);
}

/* Compilers call it for every object file, before main. */
void __objc_exec_class(struct module* module) {
  static void (*next)(struct module*);
  if (!next) next = (void (*)(struct module*))dlsym(RTLD_NEXT, "__objc_exec_class");
  if (module->version >= kOldestClang && module->version <= kNewestClang) {
    for (int i = 0; i < module->symbols->class_count; ++i) mend_class(module->symbols, module->symbols->definitions[i]);
    module->version = kGcc;
    module->size = sizeof(struct module);
  }
  next(module);
}

object_t objc_lookup_class(const char* name) { return objc_getClass(name); }
object_t object_getClass(object_t object) { return object ? *(object_t*)object : NULL; }

static __thread struct slot found;
struct slot* objc_msg_lookup_sender(object_t* receiver, selector_t selector, object_t sender) {
  (void)sender;
  found.method = objc_msg_lookup(*receiver, selector);
  return &found;
}
struct slot* objc_slot_lookup_super(struct super* super, selector_t selector) {
  found.method = objc_msg_lookup_super(super, selector);
  return &found;
}

/* --- Reference counting --- */

static object_t send(object_t object, const char* name) {
  if (!object) return NULL;
  const selector_t selector = sel_registerName(name);
  return objc_msg_lookup(object, selector)(object, selector);
}

object_t objc_retain(object_t object) { return send(object, "retain"); }
void objc_release(object_t object) { send(object, "release"); }
object_t objc_autorelease(object_t object) { return send(object, "autorelease"); }
object_t objc_autoreleaseReturnValue(object_t object) { return send(object, "autorelease"); }
object_t objc_retainAutorelease(object_t object) { return send(send(object, "retain"), "autorelease"); }
object_t objc_retainAutoreleaseReturnValue(object_t object) { return objc_retainAutorelease(object); }
object_t objc_retainAutoreleasedReturnValue(object_t object) { return send(object, "retain"); }
object_t objc_unsafeClaimAutoreleasedReturnValue(object_t object) { return object; }
void objc_storeStrong(object_t* place, object_t object) {
  const object_t old = *place;
  *place = objc_retain(object);
  objc_release(old);
}
object_t objc_storeWeak(object_t* place, object_t object) { return *place = object; }
object_t objc_initWeak(object_t* place, object_t object) { return *place = object; }
object_t objc_loadWeakRetained(object_t* place) { return objc_retain(*place); }
void objc_copyWeak(object_t* place, object_t* from) { *place = *from; }
void objc_moveWeak(object_t* place, object_t* from) {
  *place = *from;
  *from = NULL;
}
void objc_destroyWeak(object_t* place) { *place = NULL; }
void* objc_autoreleasePoolPush(void) { return send(send(objc_getClass("NSAutoreleasePool"), "alloc"), "init"); }
void objc_autoreleasePoolPop(void* pool) { send((object_t)pool, "drain"); }

/* Exceptions are C++'s; none of Objective-C's is caught here. */
extern _Unwind_Reason_Code __gxx_personality_v0(int, _Unwind_Action, _Unwind_Exception_Class, struct _Unwind_Exception*,
                                                struct _Unwind_Context*);
_Unwind_Reason_Code __gnustep_objcxx_personality_v0(int version, _Unwind_Action actions, _Unwind_Exception_Class kind,
                                                    struct _Unwind_Exception* exception,
                                                    struct _Unwind_Context* context) {
  return __gxx_personality_v0(version, actions, kind, exception, context);
}
