// Lays out the sections of a relocatable object, applies its relocations and
// protects the result. The format: System V ABI, AMD64 supplement.
#include "runtime/ObjectLoader.h"

#include "runtime/ExternalSymbols.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <map>
#include <utility>
#include <vector>

#include <elf.h>
#include <sys/mman.h>
#include <unistd.h>

namespace attnres::runtime {
namespace {

/// Keeps every relative distance inside 31 bits, with room to spare.
constexpr uint64_t maxImageBytes = uint64_t{1} << 30;

constexpr uint64_t stubBytes = 8;
constexpr uint64_t gotSlotBytes = 8;

uint64_t alignUp(uint64_t value, uint64_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

bool isGotRelocation(uint32_t type) {
  return type == R_X86_64_GOTPCREL || type == R_X86_64_GOTPCRELX ||
         type == R_X86_64_REX_GOTPCRELX;
}

/// Relative jumps and address computations, which reach functions outside the
/// image only through a stub.
bool isRelative32(uint32_t type) {
  return type == R_X86_64_PC32 || type == R_X86_64_PLT32;
}

} // namespace

class ObjectLoader {
public:
  ObjectLoader(std::string_view object, const std::string &where)
      : object(object), where(where) {}

  Result<LoadedObject> load() {
    for (auto step :
         {&ObjectLoader::readSections, &ObjectLoader::readSymbols,
          &ObjectLoader::readRelocations, &ObjectLoader::placeSections,
          &ObjectLoader::resolveSymbols, &ObjectLoader::fillTables,
          &ObjectLoader::relocate, &ObjectLoader::protect})
      if (Status status = (this->*step)(); !status.ok())
        return status;
    return std::move(result);
  }

private:
  /// Sections with equal protection share pages, in this order.
  enum Group { Text, ReadOnly, Data, NumGroups };

  struct Section {
    Elf64_Shdr header;
    uint64_t imageOffset = 0; // of sections with SHF_ALLOC
    bool allocated() const { return header.sh_flags & SHF_ALLOC; }
    Group group() const {
      return header.sh_flags & SHF_EXECINSTR ? Text
             : header.sh_flags & SHF_WRITE   ? Data
                                             : ReadOnly;
    }
  };

  struct Symbol {
    Elf64_Sym entry;
    std::string_view name;
    uint64_t address = 0;
    bool undefined() const { return entry.st_shndx == SHN_UNDEF; }
  };

  struct Relocation {
    Elf64_Rela entry;
    size_t section; // that it patches
    uint32_t type() const { return ELF64_R_TYPE(entry.r_info); }
    uint32_t symbol() const { return ELF64_R_SYM(entry.r_info); }
  };

  template <typename... Args>
  Status bad(const Args &...args) const {
    return invalidData(where, ": ", args...);
  }
  template <typename... Args>
  Status missing(const Args &...args) const {
    return unsupported(where, ": ", args...);
  }

  bool inFile(uint64_t offset, uint64_t size) const {
    return offset <= object.size() && size <= object.size() - offset;
  }

  /// Entry `index` of a table that lies inside the file.
  template <typename T>
  T entryAt(uint64_t offset, uint64_t index) const {
    T entry;
    std::memcpy(&entry, object.data() + offset + index * sizeof entry,
                sizeof entry);
    return entry;
  }

  Status readSections() {
    if (object.size() < sizeof(Elf64_Ehdr) ||
        object.substr(0, SELFMAG) != ELFMAG)
      return bad("not an ELF file");
    auto header = entryAt<Elf64_Ehdr>(0, 0);
    if (header.e_ident[EI_CLASS] != ELFCLASS64 ||
        header.e_ident[EI_DATA] != ELFDATA2LSB ||
        header.e_machine != EM_X86_64 || header.e_type != ET_REL)
      return bad("not a relocatable object for 64-bit x86");
    if (header.e_shentsize != sizeof(Elf64_Shdr) ||
        !inFile(header.e_shoff, uint64_t{header.e_shnum} * sizeof(Elf64_Shdr)))
      return bad("section table outside the file");
    for (uint64_t i = 0; i < header.e_shnum; ++i) {
      Section section{entryAt<Elf64_Shdr>(header.e_shoff, i)};
      const Elf64_Shdr &h = section.header;
      if (h.sh_type == SHT_NULL)
        section.header = {};
      else if (h.sh_type != SHT_NOBITS && !inFile(h.sh_offset, h.sh_size))
        return bad("section ", i, " outside the file");
      if (section.allocated()) {
        if (h.sh_flags & SHF_TLS)
          return missing("thread-local storage in section ", i);
        if (h.sh_type == SHT_INIT_ARRAY || h.sh_type == SHT_FINI_ARRAY)
          return missing("constructors or destructors in section ", i);
      }
      sections.push_back(section);
    }
    return {};
  }

  Status readSymbols() {
    for (const Section &section : sections) {
      const Elf64_Shdr &h = section.header;
      if (h.sh_type != SHT_SYMTAB)
        continue;
      if (!symbols.empty())
        return bad("more than one symbol table");
      if (h.sh_link >= sections.size() ||
          sections[h.sh_link].header.sh_type != SHT_STRTAB)
        return bad("symbol table without names");
      const Elf64_Shdr &names = sections[h.sh_link].header;
      std::string_view text = object.substr(names.sh_offset, names.sh_size);
      for (uint64_t i = 0; i < h.sh_size / sizeof(Elf64_Sym); ++i) {
        Symbol symbol{entryAt<Elf64_Sym>(h.sh_offset, i), {}};
        size_t end = text.find('\0', symbol.entry.st_name);
        if (end == std::string_view::npos)
          return bad("name of symbol ", i, " outside its table");
        symbol.name =
            text.substr(symbol.entry.st_name, end - symbol.entry.st_name);
        symbols.push_back(symbol);
      }
    }
    return {};
  }

  Status readRelocations() {
    for (size_t i = 0; i < sections.size(); ++i) {
      const Elf64_Shdr &h = sections[i].header;
      if (h.sh_type != SHT_RELA && h.sh_type != SHT_REL)
        continue;
      if (h.sh_info >= sections.size())
        return bad("relocations of section ", h.sh_info, " of ",
                   sections.size());
      const Section &target = sections[h.sh_info];
      if (!target.allocated())
        continue; // debug information
      if (h.sh_type == SHT_REL)
        return missing("relocations without addends in section ", i);
      for (uint64_t j = 0; j < h.sh_size / sizeof(Elf64_Rela); ++j) {
        Relocation relocation{entryAt<Elf64_Rela>(h.sh_offset, j), h.sh_info};
        if (relocation.symbol() >= symbols.size())
          return bad("relocation of symbol ", relocation.symbol(), " of ",
                     symbols.size());
        relocations.push_back(relocation);
        if (isGotRelocation(relocation.type()))
          gotSlots.emplace(relocation.symbol(), 0);
        if (isRelative32(relocation.type()) && relocation.symbol() != 0 &&
            symbols[relocation.symbol()].undefined()) {
          stubs.emplace(relocation.symbol(), 0);
          gotSlots.emplace(relocation.symbol(), 0); // the stub jumps through it
        }
      }
    }
    return {};
  }

  /// Gives every section, stub and table slot its place, and maps the image.
  Status placeSections() {
    auto page = static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
    uint64_t end = 0;
    for (int group = 0; group < NumGroups; ++group) {
      end = alignUp(end, page);
      groupBegin[group] = end;
      for (size_t i = 0; i < sections.size(); ++i) {
        Section &section = sections[i];
        if (!section.allocated() || section.group() != group)
          continue;
        uint64_t alignment = std::max<uint64_t>(section.header.sh_addralign, 1);
        if (alignment > page || (alignment & (alignment - 1)) != 0)
          return bad("section ", i, " aligned to ", alignment, " bytes");
        if (section.header.sh_size > maxImageBytes)
          return bad("section ", i, " of ", section.header.sh_size, " bytes");
        section.imageOffset = alignUp(end, alignment);
        end = section.imageOffset + section.header.sh_size;
        if (end > maxImageBytes)
          return bad("sections of more than ", maxImageBytes, " bytes");
      }
      end = alignUp(end, stubBytes);
      if (group == Text)
        for (auto &[symbol, offset] : stubs)
          offset = std::exchange(end, end + stubBytes);
      if (group == ReadOnly)
        for (auto &[symbol, offset] : gotSlots)
          offset = std::exchange(end, end + gotSlotBytes);
    }
    groupBegin[NumGroups] = alignUp(end, page);
    if (end > maxImageBytes)
      return bad("sections of more than ", maxImageBytes, " bytes");
    if (end == 0)
      return bad("no code");

    size_t size = groupBegin[NumGroups];
    void *base = ::mmap(nullptr, size, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (base == MAP_FAILED)
      return ioError(where, ": cannot map ", size,
                     " bytes for code: ", std::strerror(errno));
    result.base = base;
    result.size = size;
    for (const Section &section : sections)
      if (section.allocated() && section.header.sh_type != SHT_NOBITS)
        std::memcpy(image(section.imageOffset),
                    object.data() + section.header.sh_offset,
                    section.header.sh_size);
    return {};
  }

  Status resolveSymbols() {
    for (size_t i = 1; i < symbols.size(); ++i) {
      Symbol &symbol = symbols[i];
      int type = ELF64_ST_TYPE(symbol.entry.st_info);
      if (type == STT_GNU_IFUNC || type == STT_TLS)
        return missing("symbol ", inQuotes(symbol.name),
                       type == STT_TLS ? " is thread-local"
                                       : " is an indirect function");
      switch (symbol.entry.st_shndx) {
      case SHN_UNDEF:
        continue; // only matters where it is used
      case SHN_ABS:
        symbol.address = symbol.entry.st_value;
        continue;
      case SHN_COMMON:
      case SHN_XINDEX:
        return missing("symbol ", inQuotes(symbol.name),
                       " is a common block or in a section above 65279");
      }
      if (symbol.entry.st_shndx >= sections.size())
        return bad("symbol ", inQuotes(symbol.name), " in section ",
                   symbol.entry.st_shndx, " of ", sections.size());
      const Section &section = sections[symbol.entry.st_shndx];
      if (!section.allocated())
        continue;
      if (symbol.entry.st_value > section.header.sh_size)
        return bad("symbol ", inQuotes(symbol.name), " outside its section");
      symbol.address = addressOf(section.imageOffset + symbol.entry.st_value);
      if (ELF64_ST_BIND(symbol.entry.st_info) != STB_LOCAL)
        result.symbols.emplace(
            symbol.name, image(section.imageOffset + symbol.entry.st_value));
    }
    for (const Relocation &relocation : relocations) {
      Symbol &symbol = symbols[relocation.symbol()];
      if (!symbol.undefined() || symbol.address || relocation.symbol() == 0)
        continue;
      symbol.address =
          reinterpret_cast<uintptr_t>(findExternalSymbol(symbol.name));
      if (!symbol.address)
        return missing("undefined symbol ", inQuotes(symbol.name));
    }
    return {};
  }

  /// Writes the addresses into the GOT, and the stubs that jump through it.
  Status fillTables() {
    for (auto [symbol, offset] : gotSlots)
      std::memcpy(image(offset), &symbols[symbol].address, gotSlotBytes);
    for (auto [symbol, offset] : stubs) {
      // jmp *slot(%rip), padded with traps
      unsigned char code[stubBytes] = {0xff, 0x25, 0, 0, 0, 0, 0xcc, 0xcc};
      auto distance = static_cast<int32_t>(gotSlots.at(symbol) - (offset + 6));
      std::memcpy(code + 2, &distance, sizeof distance);
      std::memcpy(image(offset), code, sizeof code);
    }
    return {};
  }

  Status relocate() {
    for (const Relocation &relocation : relocations)
      if (Status status = apply(relocation); !status.ok())
        return status;
    return {};
  }

  Status apply(const Relocation &relocation) {
    const Section &section = sections[relocation.section];
    const Symbol &symbol = symbols[relocation.symbol()];
    uint64_t offset = relocation.entry.r_offset;
    uint64_t place = addressOf(section.imageOffset + offset);
    // Modulo 2^64, as the ABI defines it; patch32() checks the range.
    auto addend = static_cast<uint64_t>(relocation.entry.r_addend);
    uint64_t value = symbol.address + addend;

    uint32_t type = relocation.type();
    bool wide = type == R_X86_64_64 || type == R_X86_64_PC64;
    uint64_t width = wide ? 8 : 4;
    if (type == R_X86_64_NONE)
      return {};
    if (section.header.sh_type == SHT_NOBITS ||
        offset > section.header.sh_size ||
        width > section.header.sh_size - offset)
      return bad("relocation of ", inQuotes(symbol.name),
                 " outside its section");

    bool isSigned = true;
    switch (type) {
    case R_X86_64_64:
      break;
    case R_X86_64_PC64:
      value -= place;
      break;
    case R_X86_64_PC32:
    case R_X86_64_PLT32:
      if (auto stub = stubs.find(relocation.symbol()); stub != stubs.end())
        value = addressOf(stub->second) + addend;
      value -= place;
      break;
    case R_X86_64_GOTPCREL:
    case R_X86_64_GOTPCRELX:
    case R_X86_64_REX_GOTPCRELX:
      value = addressOf(gotSlots.at(relocation.symbol())) + addend - place;
      break;
    case R_X86_64_32:
      isSigned = false;
      break;
    case R_X86_64_32S:
      break;
    default:
      return missing("relocation type ", type, " of ", inQuotes(symbol.name));
    }
    if (!wide) {
      bool fits =
          isSigned ? static_cast<int64_t>(value) == static_cast<int32_t>(value)
                   : value == static_cast<uint32_t>(value);
      if (!fits)
        return missing("address of ", inQuotes(symbol.name),
                       " does not fit in 32 bits, the code is not position "
                       "independent");
    }
    std::memcpy(image(section.imageOffset + offset), &value, width);
    return {};
  }

  Status protect() {
    constexpr int protections[NumGroups] = {PROT_READ | PROT_EXEC, PROT_READ,
                                            PROT_READ | PROT_WRITE};
    for (int group = 0; group < NumGroups; ++group) {
      uint64_t begin = groupBegin[group], end = groupBegin[group + 1];
      if (begin != end &&
          ::mprotect(image(begin), end - begin, protections[group]) != 0)
        return ioError(where,
                       ": cannot protect the code: ", std::strerror(errno));
    }
    return {};
  }

  unsigned char *image(uint64_t offset) const {
    return static_cast<unsigned char *>(result.base) + offset;
  }
  uint64_t addressOf(uint64_t offset) const {
    return reinterpret_cast<uintptr_t>(result.base) + offset;
  }

  std::string_view object;
  const std::string &where;
  std::vector<Section> sections;
  std::vector<Symbol> symbols;
  std::vector<Relocation> relocations;   // of allocated sections
  std::map<uint32_t, uint64_t> gotSlots; // symbol -> offset in the image
  std::map<uint32_t, uint64_t> stubs;    // undefined symbol -> offset
  uint64_t groupBegin[NumGroups + 1] = {};
  LoadedObject result;
};

Result<LoadedObject> LoadedObject::load(std::string_view object,
                                        const std::string &where) {
  return ObjectLoader(object, where).load();
}

LoadedObject::LoadedObject(LoadedObject &&other) noexcept
    : base(std::exchange(other.base, nullptr)),
      size(std::exchange(other.size, 0)), symbols(std::move(other.symbols)) {}

LoadedObject &LoadedObject::operator=(LoadedObject &&other) noexcept {
  std::swap(base, other.base);
  std::swap(size, other.size);
  std::swap(symbols, other.symbols);
  return *this;
}

LoadedObject::~LoadedObject() {
  if (base)
    ::munmap(base, size);
}

void *LoadedObject::symbol(const std::string &name) const {
  auto found = symbols.find(name);
  return found == symbols.end() ? nullptr : found->second;
}

} // namespace attnres::runtime
